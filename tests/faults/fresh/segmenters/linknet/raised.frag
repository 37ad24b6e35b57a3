#version 300 es
// transposed 3x3 convolution, stride 2, padding 1: the texel (X, Y) gets tap (X + 1 - 2x, Y + 1 - 2y) of input (x, y).
// Inputs are the blocks of u_weights, outputs the kernels in a block.
precision highp float;
precision highp sampler2D;

uniform sampler2D u_map;
uniform sampler2D u_weights;
uniform sampler2D u_bias;
uniform vec2 u_tile;
uniform vec2 u_small;
uniform vec2 u_in_grid;
uniform vec2 u_out_grid;
uniform vec2 u_weights_texel;
uniform float u_inputs;
uniform float u_outputs;

in vec2 v_uv;
out vec4 fragColor;

void main() {
    vec2 grid_uv = v_uv * u_out_grid;
    vec2 tile = floor(grid_uv);
    vec2 texel = floor((grid_uv - tile) * u_tile);
    float id = tile.y * u_out_grid.x + tile.x;

    float acc = texture(u_bias, vec2((id + 0.5) / u_outputs, 0.5)).r;
    for (float ky = 0.0; ky < 3.0; ky++) {
        for (float kx = 0.0; kx < 3.0; kx++) {
            vec2 from = (texel + 1.0 - vec2(kx, ky)) * 0.5;
            // only whole places are inputs
            if (fract(from.x) > 0.25 || fract(from.y) > 0.25) continue;
            if (any(lessThan(from, vec2(0.0))) || any(greaterThanEqual(from, u_small))) continue;
            vec2 at = (from + 0.5) / u_small;
            for (float i = 0.0; i < u_inputs; i++) {
                vec2 in_tile = vec2(mod(i, u_in_grid.x), floor((i + 0.5) / u_in_grid.x));
                vec2 w_texel = (in_tile * u_out_grid + tile) * 3.0 + vec2(kx, ky) + 0.5;
                acc += texture(u_map, (in_tile + at) / u_in_grid).r * texture(u_weights, w_texel * u_weights_texel).r;
            }
        }
    }
    fragColor = vec4(acc);
}
