#version 300 es
precision highp float;
precision highp isampler2D;

in vec2 outTex;
uniform sampler2D x;
uniform isampler2D rowIndexMap;
uniform isampler2D colIndexMap;
uniform sampler2D W;
uniform sampler2D b;
uniform bool use_bias;
uniform int inputRows;
out vec4 outColor;

void main() {
    ivec2 outSize = ivec2(textureSize(W, 0).x, textureSize(rowIndexMap, 0).y);
    int out_x = int(float(outSize[0]) * outTex.x);
    int out_y = int(float(outSize[1]) * outTex.y);
    float sum = 0.0;
    int taps = textureSize(rowIndexMap, 0).x;
    for (int i = 0; i < taps; ++i) {
        int row = texelFetch(rowIndexMap, ivec2(i, out_y), 0).r;
        int col = texelFetch(colIndexMap, ivec2(i, out_y), 0).r;
        if (row != -1) {
            sum += texelFetch(x, ivec2(col, row), 0).r * texelFetch(W, ivec2(out_x, i), 0).r;
        }
    }
    if (use_bias) sum += texelFetch(b, ivec2(out_x, 0), 0).r;
    outColor = vec4(sum);
}
