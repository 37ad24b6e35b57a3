#version 330
// LayerNorm(y + context Wo^T + bo): every fragment makes the whole token, keeps its own four
#include "packed.glsl"

uniform sampler2D uSkip;
uniform sampler2D uContext;
uniform sampler2D uWeight;
uniform sampler2D uBias;
uniform sampler2D uGamma;
uniform sampler2D uBeta;
uniform float uEps;

out vec4 oMixed;

#define OUT_ROW(o) dot(c, TEXEL(uWeight, q, o))

void main() {
    int token = HERE.y;
    vec4 row[HEADS];
    for (int g = 0; g < HEADS; ++g) {
        vec4 sum = TEXEL(uBias, g, 0) + TEXEL(uSkip, g, token);
        for (int q = 0; q < HEADS; ++q) {
            vec4 c = TEXEL(uContext, q, token);
            int o = 4 * g;
            sum += vec4(OUT_ROW(o), OUT_ROW(o + 1), OUT_ROW(o + 2), OUT_ROW(o + 3));
        }
        row[g] = sum;
    }

    vec4 s = row[0] + row[1] + row[2];
    float mean = (s.x + s.y + s.z + s.w) / float(MODEL);
    vec4 sq = vec4(0.0);
    for (int g = 0; g < HEADS; ++g) {
        sq += (row[g] - mean) * (row[g] - mean);
    }
    float var = (sq.x + sq.y + sq.z + sq.w) / float(MODEL);

    oMixed = (row[HERE.x] - mean) * inversesqrt(var + uEps) * TEXEL(uGamma, HERE.x, 0) + TEXEL(uBeta, HERE.x, 0);
}
