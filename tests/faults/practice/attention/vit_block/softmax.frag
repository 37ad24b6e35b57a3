#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Softmax along the keys of each tile.
uniform sampler2D uScores;
uniform int uTokenCount;

out vec4 outValue;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int start = (at.x / uTokenCount) * uTokenCount;

    float top = texelFetch(uScores, ivec2(start, at.y), 0).r;
    for (int k = 1; k < uTokenCount; ++k) {
        top = max(top, texelFetch(uScores, ivec2(start + k, at.y), 0).r);
    }

    float total = 0.0;
    for (int k = 0; k < uTokenCount; ++k) {
        total += exp(texelFetch(uScores, ivec2(start + k, at.y), 0).r - top);
    }
    outValue = vec4(exp(texelFetch(uScores, at, 0).r - top) / total);
}
