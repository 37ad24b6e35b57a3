#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// tokens x weight^T + bias, on top of what went around.
uniform sampler2D uTokens;
uniform sampler2D uWeight;
uniform sampler2D uBias;
uniform sampler2D uResidual;
uniform int uIn;

out vec4 outValue;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float acc = 0.0;
    for (int i = 0; i < uIn; ++i) {
        acc += texelFetch(uTokens, ivec2(i, at.y), 0).r * texelFetch(uWeight, ivec2(i, at.x), 0).r;
    }
    acc += texelFetch(uBias, ivec2(at.x, 0), 0).r;
    outValue = vec4(acc + texelFetch(uResidual, at, 0).r);
}
