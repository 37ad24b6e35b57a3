#version 310 es
// Depthwise 3x3 with dilation and a ReLU6. A group loads its tile of four channels once.
precision highp float;
precision highp int;
precision highp sampler3D;

#define XS 8
#define YS 4
#define MAX_DILATE 2
#define TILE_W (XS + 2 * MAX_DILATE)
#define TILE_H (YS + 2 * MAX_DILATE)

layout(rgba32f, binding = 0) writeonly uniform highp image3D uOutput;
uniform sampler3D uInput;
layout(std430, binding = 2) readonly buffer Kernel { vec4 data[]; } uKernel;
layout(std430, binding = 3) readonly buffer Bias { vec4 data[]; } uBias;
uniform ivec2 uDilate;
uniform ivec4 uSize;  // width, height, slices, channels

layout(local_size_x = XS, local_size_y = YS, local_size_z = 1) in;

shared vec4 tile[TILE_H * TILE_W];

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(XS, YS) - uDilate;
    ivec2 need = ivec2(XS, YS) + 2 * uDilate;

    for (int i = int(gl_LocalInvocationIndex); i < need.x * need.y; i += XS * YS) {
        ivec2 at = ivec2(i % need.x, i / need.x);
        ivec2 src = corner + at;
        vec4 v = vec4(0.0);
        if (all(greaterThanEqual(src, ivec2(0))) && all(lessThan(src, uSize.xy))) {
            v = texelFetch(uInput, ivec3(src, pos.z), 0);
        }
        tile[at.y * TILE_W + at.x] = v;
    }
    barrier();

    if (any(greaterThanEqual(pos.xy, uSize.xy))) return;

    vec4 sum = uBias.data[pos.z];
    for (int ky = 0; ky < 3; ++ky) {
        for (int kx = 0; kx < 3; ++kx) {
            ivec2 at = local + ivec2(kx, ky) * uDilate;
            sum += tile[at.y * TILE_W + at.x] * uKernel.data[pos.z * 9 + ky * 3 + kx];
        }
    }
    imageStore(uOutput, pos, clamp(sum, vec4(0.0), vec4(6.0)));
}
