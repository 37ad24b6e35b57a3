#version 300 es
// 1x1 convolution of stride 2 on flat memory, for a batch.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D X;
uniform sampler2D W;
uniform sampler2D B;

const ivec4 inShape = ivec4(2, 6, 5, 7);
const ivec4 outShape = ivec4(2, 4, 3, 4);

out vec4 o;

float load(sampler2D data, int index) {
    int texels = textureSize(data, 0).x;
    int quad = index / 4;
    return texelFetch(data, ivec2(quad % texels, quad / texels), 0)[index - quad * 4];
}

int flatten(ivec4 shape, ivec4 p) {
    return ((p.x * shape.y + p.y) * shape.z + p.z) * shape.w + p.w;
}

float value(int index) {
    int row = index / outShape.w;
    int plane = row / outShape.z;
    ivec4 p = ivec4(plane / outShape.y, plane % outShape.y, row % outShape.z, index % outShape.w);
    float acc = load(B, p.y);
    for (int i = 0; i < inShape.y; i++) {
        float x = load(X, flatten(inShape, ivec4(p.x, i, p.zw * 2)));
        float w = load(W, p.y * inShape.y + i);
        acc += x * w;
    }
    return acc;
}

void main() {
    ivec2 t = ivec2(gl_FragCoord.xy);
    int first = 4 * (t.y * 6 + t.x);
    o = vec4(value(first), value(first + 1), value(first + 2), value(first + 3));
}
