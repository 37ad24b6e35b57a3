#version 300 es
#include "tensor.glsl"

uniform sampler2D u_input;
out vec4 fragColor;

const ivec3 DIMS = ivec3(3, 4, 4);

float sigmoid(float v) {
    return 1.0 / (1.0 + exp(-v));
}

// mean of a channel
float squeeze(int c) {
    float total = 0.0;
    for (int k = 0; k < DIMS.x * DIMS.y; k++) {
        total += fetch(u_input, DIMS, k / DIMS.y, k % DIMS.y, c);
    }
    return total / float(DIMS.x * DIMS.y);
}

void main() {
    ivec3 p = here(ivec2(gl_FragCoord.xy), DIMS);
    fragColor = vec4(fetch(u_input, DIMS, p.x, p.y, p.z) * sigmoid(squeeze(p.z)), 0.0, 0.0, 1.0);
}
