layout(FORMAT, binding=0) writeonly uniform mediump image3D uOutput;
layout(location=1) uniform mediump sampler3D uInput;
layout(std430, binding=2) readonly buffer kernel {
    vec4 data[];
} uKernel;
layout(std430, binding=3) readonly buffer bias {
    vec4 data[];
} uBias;

layout(location=4) uniform ivec2 uPad;
layout(location=5) uniform ivec2 uKernelSize;
layout(location=6) uniform ivec2 uStride;
layout(location=7) uniform ivec3 uOutputSize;
layout(location=8) uniform ivec3 uInputSize;

layout(local_size_x = XLOCAL, local_size_y = YLOCAL, local_size_z = ZLOCAL) in;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(pos, uOutputSize))) return;
    vec4 color = uBias.data[pos.z];
    ivec2 start = pos.xy * uStride - uPad;
    int taps = uKernelSize.x * uKernelSize.y;
    for (int sz = 0; sz < uInputSize.z; ++sz) {
        for (int ky = 0; ky < uKernelSize.y; ++ky) {
            for (int kx = 0; kx < uKernelSize.x; ++kx) {
                ivec2 at = start + ivec2(kx, ky);
                if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, uInputSize.xy))) continue;
                int k = 4 * ((pos.z * uInputSize.z + sz) * taps + ky * uKernelSize.x + kx);
                vec4 v = texelFetch(uInput, ivec3(at, sz), 0);
                color += mat4(uKernel.data[k], uKernel.data[k + 1], uKernel.data[k + 2], uKernel.data[k + 3]) * v;
            }
        }
    }
#ifdef RELU
    color = max(color, vec4(0));
#endif
    imageStore(uOutput, pos, color);
}
