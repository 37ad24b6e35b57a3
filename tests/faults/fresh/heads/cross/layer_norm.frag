#version 330
#include "packed.glsl"

uniform sampler2D uTokens;
uniform sampler2D uGamma;
uniform sampler2D uBeta;
uniform float uEps;

out vec4 oToken;

void main() {
    ivec2 at = HERE;
    float mean = 0.0;
    for (int q = 0; q < HEADS; ++q) {
        mean += dot(TEXEL(uTokens, q, at.y), vec4(1.0));
    }
    mean /= float(MODEL);

    float var = 0.0;
    for (int q = 0; q < HEADS; ++q) {
        vec4 away = TEXEL(uTokens, q, at.y) - mean;
        var += dot(away, away);
    }
    var /= float(MODEL);

    vec4 unit = (TEXEL(uTokens, at.x, at.y) - mean) / sqrt(var + uEps);
    oToken = unit * TEXEL(uGamma, at.x, 0) + TEXEL(uBeta, at.x, 0);
}
