#version 450 core

layout(std430) buffer;

layout(set = 0, binding = 0, rgba32f) uniform restrict writeonly image3D uOutput;
layout(set = 0, binding = 1) uniform sampler3D uInput;
layout(set = 0, binding = 2) readonly buffer Kernel { float data[]; } uKernel;
layout(set = 0, binding = 3) readonly buffer Bias { float data[]; } uBias;
layout(set = 0, binding = 4) uniform constBuffer {
    ivec4 outputSize;
    ivec4 inputSize;
    ivec2 kernelSize;
    ivec2 pad;
} uConstant;

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

void main()
{
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (all(lessThan(pos, uConstant.outputSize.xyz)))
    {
        int oc = pos.z * 4;
        vec4 color = vec4(uBias.data[oc], uBias.data[oc + 1], uBias.data[oc + 2], uBias.data[oc + 3]);
        int kernelArea = uConstant.kernelSize.x * uConstant.kernelSize.y;
        for (int fy = 0; fy < uConstant.kernelSize.y; ++fy)
        {
            int sy = pos.y + fy - uConstant.pad.y;
            if (sy < 0 || sy >= uConstant.inputSize.y) continue;
            for (int fx = 0; fx < uConstant.kernelSize.x; ++fx)
            {
                int sx = pos.x + fx - uConstant.pad.x;
                if (sx < 0 || sx >= uConstant.inputSize.x) continue;
                for (int sz = 0; sz < uConstant.inputSize.z; ++sz)
                {
                    vec4 inValue = texelFetch(uInput, ivec3(sx, sy, sz), 0);
                    for (int lane = 0; lane < 4; ++lane)
                    {
                        int tap = ((oc + lane) * uConstant.inputSize.w + sz * 4) * kernelArea
                                + fy * uConstant.kernelSize.x + fx;
                        color[lane] += inValue.x * uKernel.data[tap];
                        color[lane] += inValue.y * uKernel.data[tap + kernelArea];
                        color[lane] += inValue.z * uKernel.data[tap + 2 * kernelArea];
                        color[lane] += inValue.w * uKernel.data[tap + 3 * kernelArea];
                    }
                }
            }
        }
        imageStore(uOutput, pos, color);
    }
}
