#version 300 es
// 3x3 convolution and PReLU
precision highp float;
precision highp sampler2D;

uniform sampler2D u_map;
uniform sampler2D u_weights;
uniform sampler2D u_bias;
uniform sampler2D u_slope;
uniform vec2 u_tile;
uniform vec2 u_in_grid;
uniform vec2 u_out_grid;
uniform vec2 u_weights_texel;
uniform float u_outputs;

in vec2 v_uv;
out vec4 fragColor;

void main() {
    vec2 grid_uv = v_uv * u_out_grid;
    vec2 tile = floor(grid_uv);
    vec2 uv = grid_uv - tile;
    float id = tile.y * u_out_grid.x + tile.x;
    vec2 px = 1.0 / u_tile;
    vec2 filter_origin = tile * u_in_grid * 3.0;

    float acc = texture(u_bias, vec2((id + 0.5) / u_outputs, 0.5)).r;
    for (float dy = -1.0; dy <= 1.0; dy++) {
        for (float dx = -1.0; dx <= 1.0; dx++) {
            vec2 at = uv + vec2(dx, dy) * px;
            if (at.x < 0.0 || at.y < 0.0 || at.x > 1.0 || at.y > 1.0) continue;
            for (float r = 0.0; r < u_in_grid.y; r++) {
                for (float c = 0.0; c < u_in_grid.x; c++) {
                    vec2 in_tile = vec2(c, r);
                    vec2 w_texel = filter_origin + in_tile * 3.0 + vec2(dx, dy) + 1.5;
                    acc += texture(u_map, (in_tile + at) / u_in_grid).r * texture(u_weights, w_texel * u_weights_texel).r;
                }
            }
        }
    }
    float slope = texture(u_slope, vec2(0.5, (id + 0.5) / u_outputs)).r;
    fragColor = vec4(acc < 0.0 ? acc * slope : acc);
}
