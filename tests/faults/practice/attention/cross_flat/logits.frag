#version 100
#include "flat.glsl"
// Query i of head h against key j, plus a bias by their distance, plus the bias that hides padding.
uniform sampler2D query;
uniform sampler2D keyvalue;
uniform sampler2D distance_bias;
uniform sampler2D padding_bias;
uniform vec2 querySize;
uniform vec2 keyvalueSize;
uniform vec2 distanceSize;
uniform vec2 paddingSize;

const float QUERIES = 7.0;
const float KEYS = 11.0;
const float HEADS = 3.0;
const float DEPTH = 5.0;
const float FEATURES = HEADS * DEPTH;

void main() {
    float me = ownIndex();
    float h = quotient(me, QUERIES * KEYS);
    float rest = me - h * QUERIES * KEYS;
    float i = quotient(rest, KEYS);
    float j = rest - i * KEYS;

    float sum = 0.0;
    for (float d = 0.0; d < DEPTH; d += 1.0) {
        float a = at(query, querySize, i * FEATURES + h * DEPTH + d);
        float b = at(keyvalue, keyvalueSize, j * 2.0 * FEATURES + h * DEPTH + d);
        sum += a * b;
    }
    float apart = j - i + QUERIES - 1.0;
    float near = at(distance_bias, distanceSize, apart * HEADS + h);
    float hidden = at(padding_bias, paddingSize, j);
    gl_FragColor = vec4(sum / sqrt(DEPTH) + near + hidden, 0.0, 0.0, 1.0);
}
