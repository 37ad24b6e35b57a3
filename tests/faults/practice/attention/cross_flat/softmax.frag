#version 100
#include "flat.glsl"
uniform sampler2D logits;
uniform vec2 logitsSize;

const int KEYS = 11;

void main() {
    float me = ownIndex();
    float start = quotient(me, float(KEYS)) * float(KEYS);
    float best = -1e9;
    for (int j = 0; j < KEYS; j++) best = max(best, at(logits, logitsSize, start + float(j)));
    float total = 0.0;
    for (int j = 0; j < KEYS; j++) total += exp(at(logits, logitsSize, start + float(j)) - best);
    gl_FragColor = vec4(exp(at(logits, logitsSize, me) - best) / total, 0.0, 0.0, 1.0);
}
