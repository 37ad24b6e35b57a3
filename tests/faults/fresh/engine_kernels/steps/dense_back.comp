#version 430
// A layer over the rows of X whose result lies as planes again, four outputs to a texel, with the skip on top.
layout(local_size_x = 16) in;

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) readonly buffer W { vec4 w[]; };
layout(std430, binding = 2) readonly buffer B { vec4 b[]; };
layout(std430, binding = 3) readonly buffer Skip { vec4 skip[]; };
layout(std430, binding = 4) writeonly buffer Y { vec4 y[]; };

uniform ivec3 uSize;  // places, inputs, slices of outputs

void main() {
    int place = int(gl_GlobalInvocationID.x);
    int z = int(gl_GlobalInvocationID.y);
    if (place >= uSize.x || z >= uSize.z) return;

    vec4 acc = b[z];
    int k = 0;
    for (; k + 1 < uSize.y; k += 2) {
        acc += x[place * uSize.y + k] * w[z * uSize.y + k];
        acc += x[place * uSize.y + k + 1] * w[z * uSize.y + k + 1];
    }
    for (; k < uSize.y; ++k) {
        acc += x[place * uSize.y + k] * w[z * uSize.y + k];
    }
    int to = z * uSize.x + place;
    y[to] = acc + skip[to];
}
