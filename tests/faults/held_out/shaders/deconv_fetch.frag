#version 300 es
// Depthwise transposed convolution: a channel has its own kernel.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D image;
uniform sampler2D kernels;
uniform ivec2 image_size;    // width, height
uniform ivec2 result_size;
uniform int kernel_size;
uniform int stride;
uniform int crop;

layout(location = 0) out float value;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / result_size;
    ivec2 place = here % result_size + crop;

    float gathered = 0.0;
    for (int b = 0; b < kernel_size; ++b) {
        int v = place.y - b;
        if (v < 0 || v % stride != 0 || v / stride >= image_size.y) continue;
        for (int a = 0; a < kernel_size; ++a) {
            int u = place.x - a;
            if (u < 0 || u % stride != 0 || u / stride >= image_size.x) continue;
            float x = texelFetch(image, tile * image_size + ivec2(u, v) / stride, 0).r;
            float w = texelFetch(kernels, tile * kernel_size + ivec2(a, b), 0).r;
            gathered += x * w;
        }
    }
    value = gathered;
}
