#version 300 es
// means of 3x3 at every second texel; what is beyond the border does not count
precision highp float;
precision highp sampler2D;

uniform sampler2D u_map;
uniform vec2 u_tile;
uniform vec2 u_small;
uniform vec2 u_grid;

in vec2 v_uv;
out vec4 fragColor;

void main() {
    vec2 tile = floor(v_uv * u_grid);
    vec2 cell = floor(fract(v_uv * u_grid) * u_small);
    vec2 center = cell * 2.0 + 0.5;

    float total = 0.0;
    float count = 0.0;
    for (float dy = -1.0; dy <= 1.0; dy++) {
        for (float dx = -1.0; dx <= 1.0; dx++) {
            vec2 at = (center + vec2(dx, dy)) / u_tile;
            float inside = step(0.0, at.x) * step(0.0, at.y) * step(at.x, 1.0) * step(at.y, 1.0);
            total += inside * texture(u_map, (tile + at) / u_grid).r;
            count += inside;
        }
    }
    fragColor = vec4(total / count);
}
