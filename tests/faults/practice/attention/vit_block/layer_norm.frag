#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// One row of tokens to mean 0 and variance 1, then the learned scale and shift.
uniform sampler2D uTokens;
uniform sampler2D uGamma;
uniform sampler2D uBeta;
uniform int uDim;

out vec4 outValue;

const float EPS = 1e-3;

float tok(int t, int d) {
    return texelFetch(uTokens, ivec2(d, t), 0).r;
}

void main() {
    int d = int(gl_FragCoord.x);
    int t = int(gl_FragCoord.y);

    float mean = 0.0;
    for (int i = 0; i < uDim; ++i) {
        mean += tok(t, i);
    }
    mean /= float(uDim);

    float var = 0.0;
    for (int i = 0; i < uDim; ++i) {
        float delta = tok(t, i) - mean;
        var += delta * delta;
    }
    var /= float(uDim);

    float unit = (tok(t, d) - mean) * inversesqrt(var + EPS);
    float gamma = texelFetch(uGamma, ivec2(d, 0), 0).r;
    float beta = texelFetch(uBeta, ivec2(d, 0), 0).r;
    outValue = vec4(unit * gamma + beta);
}
