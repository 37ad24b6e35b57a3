#version 330 core
// A convolution as WebGL demos write it: all channels in one picture, every coordinate a float from 0 to 1.

uniform sampler2D u_image;
uniform sampler2D u_filters;
uniform sampler2D u_bias;
uniform vec2 u_in_tile;      // width and height of a channel, texels
uniform vec2 u_in_grid;      // columns and rows of channels
uniform vec2 u_out_tile;
uniform vec2 u_out_grid;
uniform vec2 u_filter_grid;  // columns and rows of filters
uniform vec2 u_kernel_grid;  // columns and rows of kernels in a filter
uniform float u_channels;
uniform float u_kernel;
uniform float u_stride;
uniform float u_pad;

out float color;

vec2 cell(float index, vec2 grid) {
    float row = floor((index + 0.5) / grid.x);
    return vec2(index - row * grid.x, row);
}

void main() {
    vec2 place = gl_FragCoord.xy / u_out_tile;
    vec2 tile = floor(place);
    vec2 pixel = floor(fract(place) * u_out_tile);
    float feature = tile.y * u_out_grid.x + tile.x;

    vec2 filter_cell = cell(feature, u_filter_grid);
    vec2 filters_texels = u_filter_grid * u_kernel_grid * u_kernel;
    float sum = 0.0;
    for (float channel = 0.0; channel < u_channels; channel++) {
        vec2 image_corner = cell(channel, u_in_grid) * u_in_tile;
        vec2 kernel_corner = (filter_cell * u_kernel_grid + cell(channel, u_kernel_grid)) * u_kernel;
        for (float ky = 0.0; ky < u_kernel; ky++) {
            for (float kx = 0.0; kx < u_kernel; kx++) {
                vec2 at = pixel * u_stride - u_pad + vec2(kx, ky);
                if (at.x < 0.0 || at.y < 0.0 || at.x >= u_in_tile.x || at.y >= u_in_tile.y) continue;
                vec2 image_uv = (image_corner + at + 0.5) / (u_in_tile * u_in_grid);
                vec2 filter_uv = (kernel_corner + vec2(kx, ky) + 0.5) / filters_texels;
                float value = texture(u_image, image_uv).r;
                float weight = texture(u_filters, filter_uv).r;
                sum += value * weight;
            }
        }
    }
    float bias = texture(u_bias, vec2((feature + 0.5) / float(textureSize(u_bias, 0).x), 0.5)).r;
    color = sum + bias;
}
