#version 440 core
#include "common.glsl"

layout(set = 0, binding = 0, rgba32f) writeonly restrict uniform image3D uOutput;
layout(set = 0, binding = 1) uniform sampler3D uInput;

layout(set = 0, binding = 2) readonly buffer Gamma { vec4 data[]; } uGamma;
layout(set = 0, binding = 3) readonly buffer Beta { vec4 data[]; } uBeta;
layout(set = 0, binding = 4) readonly buffer Mean { vec4 data[]; } uMean;
layout(set = 0, binding = 5) readonly buffer Variance { vec4 data[]; } uVariance;
layout(set = 0, binding = 6) readonly buffer Slope { vec4 data[]; } uSlope;

uniform ivec3 uSize;
uniform float uEpsilon;

GROUP_SIZE;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (OUTSIDE(pos, uSize)) return;

    vec4 a = uGamma.data[pos.z] / sqrt(uVariance.data[pos.z] + uEpsilon);
    vec4 v = a * (LOAD(uInput, pos.x, pos.y, pos.z) - uMean.data[pos.z]) + uBeta.data[pos.z];

    vec4 slope = uSlope.data[pos.z];
    imageStore(uOutput, pos, max(v, 0.0) + slope * min(v, 0.0));
}
