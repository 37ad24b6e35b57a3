#version 300 es
// Convolution 3x3 in groups of four inputs and four outputs: a texel is a group.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D uInput;
uniform sampler2D uKernel;
uniform sampler2D uBias;

const ivec2 size = ivec2(6, 7);
const ivec2 before = ivec2(1, 2);   // padding: left, top
const int kernelColumns = 3;

layout(location = 0) out vec4 result;

vec4 inputAt(int tile, ivec2 p) {
    if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size))) return vec4(0.0);
    return texelFetch(uInput, ivec2(tile * size.x, 0) + p, 0);
}

vec4 kernelAt(int feature, ivec2 k) {
    ivec2 corner = ivec2(feature % kernelColumns, feature / kernelColumns) * 3;
    return texelFetch(uKernel, corner + k, 0);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int tile = texel.x / size.x;
    ivec2 p = texel % size;

    vec4 acc = vec4(0.0);
    for (int ky = 0; ky < 3; ky++) {
        for (int kx = 0; kx < 3; kx++) {
            ivec2 k = ivec2(kx, ky);
            vec4 v = inputAt(tile, p + k - before);
            acc.r += dot(v, kernelAt(tile * 4, k));
            acc.g += dot(v, kernelAt(tile * 4 + 1, k));
            acc.b += dot(v, kernelAt(tile * 4 + 2, k));
            acc.a += dot(v, kernelAt(tile * 4 + 3, k));
        }
    }
    for (int lane = 0; lane < 4; lane++) acc[lane] += texelFetch(uBias, ivec2(tile * 4 + lane, 0), 0).r;
    result = acc;
}
