#version 310 es
// Plain convolution and a hard swish. An invocation makes four output channels of one place.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler3D;

#define UP_DIV(x, y) (((x) + (y) - 1) / (y))

layout(rgba32f, binding = 0) writeonly uniform highp image3D uOutput;
uniform sampler3D uInput;
uniform sampler2D uKernel;
layout(std430, binding = 3) readonly buffer Bias { vec4 data[]; } uBias;

uniform ivec2 uKernelSize;
uniform ivec2 uStride;
uniform ivec2 uPad;
uniform int uChannels;
uniform ivec3 uOutputSize;

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(pos, uOutputSize))) return;

    ivec2 inputSize = textureSize(uInput, 0).xy;
    ivec2 s0 = pos.xy * uStride - uPad;
    ivec2 sfxy = max(ivec2(0), -s0);
    ivec2 efxy = min(uKernelSize, inputSize - s0);

    vec4 color = uBias.data[pos.z];
    for (int fy = sfxy.y; fy < efxy.y; fy++) {
        for (int fx = sfxy.x; fx < efxy.x; fx++) {
            int row = (pos.z * uKernelSize.y + fy) * uKernelSize.x + fx;
            for (int z = 0; z < UP_DIV(uChannels, 4); z++) {
                vec4 value = texelFetch(uInput, ivec3(s0 + ivec2(fx, fy), z), 0);
                for (int i = 0; i < min(4, uChannels - 4 * z); i++) {
                    color += value[i] * texelFetch(uKernel, ivec2(4 * z + i, row), 0);
                }
            }
        }
    }
    color *= clamp(color / 6.0 + 0.5, 0.0, 1.0);
    imageStore(uOutput, pos, color);
}
