#version 430
#include "common.glsl"
layout(binding = 0) uniform sampler2D image;
out vec4 color;

// Space-to-depth: channel (dy * 2 + dx) * 3 + c
void main() {
    HERE();
    color = vec4(0.0);
    if (t > 2) return;
    for (int l = 0; l < 4; l++) {
        int k = 4 * t + l;
        ivec2 d = ivec2(k / 3 % 2, k / 6);
        color[l] = texelFetch(image, 2 * p + d, 0)[k % 3];
    }
}
