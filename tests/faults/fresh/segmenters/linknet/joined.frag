#version 300 es
// the small map enlarged, corners on corners, plus the skip connection, rectified
precision highp float;
precision highp sampler2D;

uniform sampler2D u_low;
uniform sampler2D u_skip;
uniform vec2 u_tile;
uniform vec2 u_small;
uniform vec2 u_grid;

in vec2 v_uv;
out vec4 fragColor;

float low(vec2 tile, vec2 texel) {
    vec2 at = (min(texel, u_small - 1.0) + 0.5) / u_small;
    return texture(u_low, (tile + at) / u_grid).r;
}

void main() {
    vec2 grid_uv = v_uv * u_grid;
    vec2 tile = floor(grid_uv);
    vec2 texel = floor((grid_uv - tile) * u_tile);

    vec2 pos = texel * (u_small - 1.0) / (u_tile - 1.0);
    vec2 base = floor(pos);
    vec2 f = pos - base;
    float v = low(tile, base) * (1.0 - f.x) * (1.0 - f.y)
            + low(tile, base + vec2(1.0, 0.0)) * f.x * (1.0 - f.y)
            + low(tile, base + vec2(0.0, 1.0)) * (1.0 - f.x) * f.y
            + low(tile, base + vec2(1.0, 1.0)) * f.x * f.y;

    fragColor = vec4(max(v + texture(u_skip, v_uv).r, 0.0));
}
