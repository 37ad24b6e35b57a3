#version 430
// A place's channels, four to a texel, become a row of their own; the row is normalised.
layout(local_size_x = 32) in;

layout(std430, binding = 0) readonly buffer Plane { vec4 plane[]; };
layout(std430, binding = 1) readonly buffer Gamma { float gamma[]; };
layout(std430, binding = 2) readonly buffer Beta { float beta[]; };
layout(std430, binding = 3) writeonly buffer Places { float places[]; };

uniform ivec3 uSize;  // width, height, channels
uniform float uEpsilon;

float at(int place, int c) {
    return plane[c / 4 * uSize.x * uSize.y + place][c % 4];
}

void main() {
    int place = int(gl_GlobalInvocationID.x);
    if (place >= uSize.x * uSize.y) return;

    float mean = 0.0;
    for (int c = 0; c < uSize.z; ++c) mean += at(place, c);
    mean /= float(uSize.z);

    float variance = 0.0;
    for (int c = 0; c < uSize.z; ++c) variance += (at(place, c) - mean) * (at(place, c) - mean);
    float inv = inversesqrt(variance / float(uSize.z) + uEpsilon);

    for (int c = 0; c < uSize.z; ++c) {
        places[place * uSize.z + c] = (at(place, c) - mean) * inv * gamma[c] + beta[c];
    }
}
