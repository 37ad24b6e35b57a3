#version 310 es
// Transposed convolution as a gather: only taps whose place is a whole step of the stride count. Leaky ReLU.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler3D;

layout(rgba32f, binding = 0) writeonly uniform highp image3D uOutput;
uniform sampler3D uInput;
uniform sampler2D uKernel;
layout(std430, binding = 3) readonly buffer Bias { vec4 data[]; } uBias;
uniform ivec2 uKernelSize;
uniform ivec2 uStride;
uniform ivec2 uPad;
uniform int uChannels;
uniform float uSlope;
uniform ivec4 uInputSize;
uniform ivec4 uOutputSize;

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(pos, uOutputSize.xyz))) return;

    vec4 color = uBias.data[pos.z];
    for (int ky = 0; ky < uKernelSize.y; ++ky) {
        int oy = pos.y + uPad.y - ky;
        if (oy < 0 || oy % uStride.y != 0) continue;
        int sy = oy / uStride.y;
        if (sy >= uInputSize.y) continue;

        for (int kx = 0; kx < uKernelSize.x; ++kx) {
            int ox = pos.x + uPad.x - kx;
            if (ox < 0 || ox % uStride.x != 0) continue;
            int sx = ox / uStride.x;
            if (sx >= uInputSize.x) continue;

            int row = (pos.z * uKernelSize.y + ky) * uKernelSize.x + kx;
            for (int c = 0; c < uChannels; ++c) {
                float value = texelFetch(uInput, ivec3(sx, sy, c >> 2), 0)[c & 3];
                color += value * texelFetch(uKernel, ivec2(c, row), 0);
            }
        }
    }
    color = mix(color, color * uSlope, lessThan(color, vec4(0.0)));
    imageStore(uOutput, pos, color);
}
