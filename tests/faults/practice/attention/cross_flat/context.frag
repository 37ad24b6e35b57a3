#version 100
#include "flat.glsl"
uniform sampler2D probs;
uniform sampler2D keyvalue;
uniform vec2 probsSize;
uniform vec2 keyvalueSize;

const float QUERIES = 7.0;
const float FEATURES = 15.0;
const float DEPTH = 5.0;
const int KEYS = 11;

void main() {
    float me = ownIndex();
    float i = quotient(me, FEATURES);
    float feature = me - i * FEATURES;
    float h = quotient(feature, DEPTH);
    float row = (h * QUERIES + i) * float(KEYS);
    float sum = 0.0;
    for (int j = 0; j < KEYS; j++) {
        float p = at(probs, probsSize, row + float(j));
        sum += p * at(keyvalue, keyvalueSize, float(j) * 2.0 * FEATURES + FEATURES + feature);
    }
    gl_FragColor = vec4(sum, 0.0, 0.0, 1.0);
}
