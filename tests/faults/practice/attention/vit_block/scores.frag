#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Scores of all heads, a tile of tokens x tokens for each head, uAcross tiles side by side.
uniform sampler2D uQuery;
uniform sampler2D uKey;
uniform int uTokenCount;
uniform int uHeadDim;
uniform int uAcross;

out vec4 outValue;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 tile = at / uTokenCount;
    int head = tile.y * uAcross + tile.x;
    int row = at.y - tile.y * uTokenCount;
    int col = at.x - tile.x * uTokenCount;

    int first = head * uHeadDim;
    float dotted = 0.0;
    for (int i = 0; i < uHeadDim; ++i) {
        float q = texelFetch(uQuery, ivec2(first + i, row), 0).r;
        float k = texelFetch(uKey, ivec2(first + i, col), 0).r;
        dotted += q * k;
    }
    outValue = vec4(dotted / sqrt(float(uHeadDim)));
}
