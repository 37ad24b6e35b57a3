#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// tokens x weight^T + bias: weight has a row for each output feature.
uniform sampler2D uTokens;
uniform sampler2D uWeight;
uniform sampler2D uBias;
uniform int uIn;

out vec4 outValue;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float acc = texelFetch(uBias, ivec2(at.x, 0), 0).r;
    for (int i = 0; i < uIn; ++i) {
        float a = texelFetch(uTokens, ivec2(i, at.y), 0).r;
        float w = texelFetch(uWeight, ivec2(i, at.x), 0).r;
        acc += a * w;
    }
    outValue = vec4(acc);
}
