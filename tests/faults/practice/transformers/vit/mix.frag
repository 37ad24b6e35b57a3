#version 330
// Tokens among each other: out = tokens + scale[e] * (mixW tokens)
precision highp float;

uniform sampler2D tokens;
uniform sampler2D mixW;
uniform sampler2D layerScale;

#define TOKENS 7

out float result;

void main() {
    int e = int(gl_FragCoord.x);
    int row = int(gl_FragCoord.y);
    float s = 0.0;
    for (int n = 0; n < TOKENS; n++) {
        s += texelFetch(mixW, ivec2(n, row), 0).r * texelFetch(tokens, ivec2(e, n), 0).r;
    }
    float keep = texelFetch(tokens, ivec2(e, row), 0).r;
    result = keep + texelFetch(layerScale, ivec2(e, 0), 0).r * s;
}
