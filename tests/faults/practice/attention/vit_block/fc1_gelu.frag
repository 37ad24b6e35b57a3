#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// First half of the feed-forward part, with GELU by tanh.
uniform sampler2D uTokens;
uniform sampler2D uWeight;
uniform sampler2D uBias;
uniform int uIn;

out vec4 outValue;

float gelu(float x) {
    float inner = 0.7978845608 * (x + 0.044715 * x * x * x);
    return 0.5 * x * (1.0 + tanh(inner));
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float acc = 0.0;
    for (int i = 0; i < uIn; ++i) {
        acc += texelFetch(uTokens, ivec2(i, at.y), 0).r * texelFetch(uWeight, ivec2(i, at.x), 0).r;
    }
    outValue = vec4(gelu(acc + texelFetch(uBias, ivec2(at.x, 0), 0).r));
}
