#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Values mixed by the probabilities; heads lie side by side again.
uniform sampler2D uProbs;
uniform sampler2D uValue;
uniform int uTokenCount;
uniform int uHeadDim;
uniform int uAcross;

out vec4 outValue;

void main() {
    int feature = int(gl_FragCoord.x);
    int row = int(gl_FragCoord.y);
    int head = feature / uHeadDim;

    ivec2 corner = ivec2(head % uAcross, head / uAcross) * uTokenCount;
    float acc = 0.0;
    for (int k = 0; k < uTokenCount; ++k) {
        float p = texelFetch(uProbs, corner + ivec2(k, row), 0).r;
        acc += p * texelFetch(uValue, ivec2(feature, k), 0).r;
    }
    outValue = vec4(acc);
}
