#version 300 es
#include "tensor.glsl"

uniform sampler2D u_first;
uniform sampler2D u_second;
out vec4 fragColor;

const ivec3 A = ivec3(7, 9, 3);
const ivec3 B = ivec3(7, 9, 2);
const ivec3 OUT = ivec3(7, 9, 5);

void main() {
    ivec3 p = here(ivec2(gl_FragCoord.xy), OUT);
    float v = 0.0;
    if (p.z < A.z) {
        v = fetch(u_first, A, p.x, p.y, p.z);
    } else if (p.z < A.z + B.z) {
        v = fetch(u_second, B, p.x, p.y, p.z - A.z);
    }
    fragColor = vec4(v, 0.0, 0.0, 1.0);
}
