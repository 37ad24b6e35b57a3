#version 300 es
// A layer of the way up: a 4x4 convolution with stride 1/2, then the activation. An output texel lies between
// input texels, and its four taps in each direction are half a texel apart.
//
//     y[o, y, x] = relu(b[o] + Σ x[i, floor((y - 1 + q) / 2), floor((x - 1 + p) / 2)] · w[o, i, q, p])
//
// A tensor is one texture: each channel a tile, the tiles in a square. A filter is a tile of 4x4 kernels.
precision highp float;
precision highp sampler2D;       // without it a sampler is lowp, and drivers round what it reads

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

    vec2 tile_size = 1.0 / u_num_inputs;                             // one input tile's share of u_texture
    vec2 kernel_size = 4.0 * u_filter_texel;                         // one kernel's share of u_filter
    vec2 filter_corner = tile * u_num_inputs * kernel_size;
    vec2 input_texel = 2.0 / u_output_size;
    vec2 here = floor(position * u_output_size);                     // the output texel, in whole numbers
    float number = tile.y * u_num_filters.x + tile.x;
    float sum = texture(u_bias, vec2(number + 0.5, 0.5) * u_bias_texel).r;

    for (float q = -0.75; q <= 0.75; q += 0.5) {
        for (float p = -0.75; p < 0.75; p += 0.5) {
            vec2 offset = vec2(p, q);
            vec2 texel = floor(here * 0.5 + offset + 0.25);          // half of the taps lie on a texel's edge:
            vec2 at = (texel + 0.5) * input_texel;                   // read at the centre of the one that begins there
            if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) continue;   // zeros around the tile
            vec2 source = at * tile_size;
            vec2 weight = filter_corner + (2.0 + offset * 2.0) * u_filter_texel;

            for (float row = 0.0; row < u_num_inputs.y; row += 1.0) {
                for (float column = 0.0; column < u_num_inputs.x; column += 1.0) {
                    vec2 input_tile = vec2(column, row);
                    float x = texture(u_texture, source + input_tile * tile_size).r;
                    float w = texture(u_filter, weight + input_tile * kernel_size).r;
                    sum += x * w;
                }
            }
        }
    }

    result = vec4(max(sum, 0.0));
}
