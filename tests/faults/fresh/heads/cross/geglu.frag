#version 330
// value * gelu(gate), fourteen a token, packed without gaps
#include "packed.glsl"

#define HIDDEN 14
#define WIDTH 7
#define TOKENS 7
#define GELU(v) (0.5 * (v) * (1.0 + tanh(0.7978845608 * ((v) + 0.044715 * (v) * (v) * (v)))))

uniform sampler2D uMixed;
uniform sampler2D uWeight;
uniform sampler2D uBias;

out vec4 oHidden;

float product(int token, int o) {
    float sum = NUMBER(uBias, WIDTH, o);
    for (int q = 0; q < HEADS; ++q) {
        sum += dot(TEXEL(uMixed, q, token), TEXEL(uWeight, q, o));
    }
    return sum;
}

void main() {
    oHidden = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        int e = 4 * (HERE.y * WIDTH + HERE.x) + lane;
        int token = e / HIDDEN;
        int f = e % HIDDEN;
        if (token >= TOKENS) break;
        float value = product(token, f);
        float gate = product(token, HIDDEN + f);
        oHidden[lane] = value * GELU(gate);
    }
}
