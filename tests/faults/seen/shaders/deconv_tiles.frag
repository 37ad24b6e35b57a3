#version 330 core
// Transposed convolution of stride 2: each output pixel gathers the inputs that would have been scattered to it.

uniform sampler2D u_image;
uniform sampler2D u_filters;  // inputs x outputs x K x K, a grid of inputs, inside each a grid of outputs
uniform sampler2D u_bias;
uniform vec2 u_in_tile;
uniform vec2 u_in_grid;
uniform vec2 u_out_tile;
uniform vec2 u_out_grid;
uniform vec2 u_filter_grid;
uniform vec2 u_kernel_grid;
uniform float u_channels;

const float KERNEL = 4.0;
const float STRIDE = 2.0;
const float PAD = 1.0;

out float color;

vec2 cell(float index, vec2 grid) {
    float row = floor((index + 0.5) / grid.x);
    return vec2(index - row * grid.x, row);
}

void main() {
    vec2 tile = floor(gl_FragCoord.xy / u_out_tile);
    vec2 pixel = floor(gl_FragCoord.xy - tile * u_out_tile);
    float feature = tile.x + tile.y * u_out_grid.x;
    vec2 filters_texels = u_filter_grid * u_kernel_grid * KERNEL;

    float sum = 0.0;
    for (float ky = 0.0; ky < KERNEL; ky++) {
        for (float kx = 0.0; kx < KERNEL; kx++) {
            vec2 tap = vec2(kx, ky);
            vec2 scattered = pixel + PAD - tap;
            vec2 source = floor(scattered / STRIDE + 0.25);
            if (any(notEqual(source * STRIDE, scattered))) continue;
            if (any(lessThan(source, vec2(0.0))) || any(greaterThanEqual(source, u_in_tile))) continue;
            for (float channel = 0.0; channel < u_channels; channel++) {
                vec2 image_at = cell(channel, u_in_grid) * u_in_tile + source;
                vec2 kernel_cell = cell(channel, u_filter_grid) * u_kernel_grid + cell(feature, u_kernel_grid);
                vec2 filter_at = kernel_cell * KERNEL + tap;
                sum += texture(u_image, (image_at + 0.5) / (u_in_tile * u_in_grid)).r
                     * texture(u_filters, (filter_at + 0.5) / filters_texels).r;
            }
        }
    }
    color = sum + texture(u_bias, vec2((feature + 0.5) / float(textureSize(u_bias, 0).x), 0.5)).r;
}
