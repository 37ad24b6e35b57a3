#version 440 core
#include "common.glsl"

layout(set = 0, binding = 0, rgba32f) writeonly restrict uniform image3D uOutput;
layout(set = 0, binding = 1) uniform sampler3D uInput;
uniform ivec3 uInputSize;
uniform ivec3 uOutputSize;
uniform vec2 uScale;   // (in - 1) / (out - 1): corners on corners

GROUP_SIZE;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (OUTSIDE(pos, uOutputSize)) return;

    vec2 at = vec2(pos.xy) * uScale;
    ivec2 p0 = ivec2(floor(at));
    ivec2 p1 = min(p0 + 1, uInputSize.xy - 1);
    vec2 f = at - vec2(p0);

    vec4 v00 = LOAD(uInput, p0.x, p0.y, pos.z);
    vec4 v10 = LOAD(uInput, p1.x, p0.y, pos.z);
    vec4 v01 = LOAD(uInput, p0.x, p1.y, pos.z);
    vec4 v11 = LOAD(uInput, p1.x, p1.y, pos.z);

    imageStore(uOutput, pos, mix(mix(v00, v10, f.x), mix(v01, v11, f.x), f.y));
}
