#version 310 es
// 1x1 convolution of a gated input as products of 4x4 matrices; UNIT places of a row to an invocation.
precision highp float;
precision highp int;
precision highp sampler3D;

#define UNIT 2

layout(rgba32f, binding = 0) writeonly uniform highp image3D uOutput;
uniform sampler3D uInput;
uniform sampler3D uGate;
layout(std430, binding = 3) readonly buffer Kernel { mat4 data[]; } uKernel;
layout(std430, binding = 4) readonly buffer Bias { vec4 data[]; } uBias;
uniform ivec4 uInputSize;
uniform ivec4 uOutputSize;

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID) * ivec3(UNIT, 1, 1);
    if (any(greaterThanEqual(pos, uOutputSize.xyz))) return;

    vec4 color0 = uBias.data[pos.z];
    vec4 color1 = color0;
    for (int z = 0; z < uInputSize.z; ++z) {
        mat4 k = uKernel.data[pos.z * uInputSize.z + z];
        vec4 g = texelFetch(uGate, ivec3(0, 0, z), 0);
        color0 += k * (texelFetch(uInput, ivec3(pos.x, pos.y, z), 0) * g);
        color1 += k * (texelFetch(uInput, ivec3(min(pos.x + 1, uInputSize.x - 1), pos.y, z), 0) * g);
    }
    imageStore(uOutput, pos, color0);
    if (pos.x + 1 < uOutputSize.x) {
        imageStore(uOutput, pos + ivec3(1, 0, 0), color1);
    }
}
