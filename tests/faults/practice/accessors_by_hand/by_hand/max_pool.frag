#version 300 es
#include "tensor.glsl"

uniform sampler2D u_input;
out vec4 fragColor;

const ivec3 IN = ivec3(7, 9, 4);
const ivec3 OUT = ivec3(3, 4, 4);

#define X(h, w, c) fetch(u_input, IN, h, w, c)

void main() {
    ivec3 p = here(ivec2(gl_FragCoord.xy), OUT);
    int h = p.x * 2;
    int w = p.y * 2;
    float best = X(h, w, p.z);
    best = max(best, X(h, w + 1, p.z));
    best = max(best, X(h + 1, w, p.z));
    best = max(best, X(h + 1, w + 1, p.z));
    fragColor = vec4(best, 0.0, 0.0, 1.0);
}
