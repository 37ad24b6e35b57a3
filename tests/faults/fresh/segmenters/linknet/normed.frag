#version 300 es
// instance normalisation, in two walks over the tile
precision highp float;
precision highp sampler2D;

uniform sampler2D u_map;
uniform sampler2D u_gain;
uniform sampler2D u_offset;
uniform vec2 u_tile;
uniform vec2 u_grid;
uniform float u_channels;
uniform float u_eps;

in vec2 v_uv;
out vec4 fragColor;

void main() {
    vec2 tile = floor(v_uv * u_grid);
    vec2 atlas = u_tile * u_grid;
    vec2 origin = tile * u_tile + 0.5;

    float mean = 0.0;
    for (float y = 0.0; y < u_tile.y; y++)
        for (float x = 0.0; x < u_tile.x; x++)
            mean += texture(u_map, (origin + vec2(x, y)) / atlas).r;
    mean /= u_tile.x * u_tile.y;

    float variance = 0.0;
    for (float y = 0.0; y < u_tile.y; y++)
        for (float x = 0.0; x < u_tile.x; x++) {
            float away = texture(u_map, (origin + vec2(x, y)) / atlas).r - mean;
            variance += away * away;
        }
    variance /= u_tile.x * u_tile.y;

    float id = tile.y * u_grid.x + tile.x;
    vec2 mine = vec2((id + 0.5) / u_channels, 0.5);
    float unit = (texture(u_map, v_uv).r - mean) / sqrt(variance + u_eps);
    fragColor = vec4(unit * texture(u_gain, mine).r + texture(u_offset, mine).r);
}
