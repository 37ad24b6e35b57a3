#version 300 es
// A layer of the way down: a 4x4 convolution with stride 2, then the activation.
//
//     y[o, y, x] = relu(b[o] + Σ x[i, 2y - 1 + q, 2x - 1 + p] · w[o, i, q, p])
//
// A tensor is one texture: each channel a tile, the tiles in a square. A filter is a tile of 4x4 kernels.
precision highp float;

uniform sampler2D u_texture;     // input tiles
uniform sampler2D u_filter;      // for each output tile a tile of kernels, one for each input tile
uniform sampler2D u_bias;        // one texel for each output tile
uniform vec2 u_output_size;      // an output tile, in texels
uniform vec2 u_num_filters;      // columns and rows of output tiles
uniform vec2 u_num_inputs;       // columns and rows of input tiles
uniform vec2 u_filter_texel;     // one texel of u_filter
uniform vec2 u_bias_texel;       // one texel of u_bias

out vec4 result;

void main() {
    vec2 st = gl_FragCoord.xy / u_output_size;
    vec2 position = fract(st);
    vec2 tile = floor(st);

    vec2 input_texel = 0.5 / u_output_size;
    float number = tile.y * u_num_filters.x + tile.x;
    float sum = texture(u_bias, vec2(number + 0.5, 0.5) * u_bias_texel).r;

    for (float row = 0.0; row < u_num_inputs.y; row += 1.0) {
        for (float column = 0.0; column < u_num_inputs.x; column += 1.0) {
            vec2 input_tile = vec2(column, row);
            vec2 kernel = (tile * u_num_inputs + input_tile) * 4.0 + 2.0;

            for (float q = -1.5; q <= 1.5; q += 1.0) {
                for (float p = -1.5; p <= 1.5; p += 1.0) {
                    vec2 offset = vec2(p, q);
                    float x = texture(u_texture, (input_tile + position + offset * input_texel) / u_num_inputs).r;
                    float w = texture(u_filter, (kernel + offset) * u_filter_texel).r;
                    sum += x * w;
                }
            }
        }
    }

    result = vec4(max(sum, 0.0));
}
