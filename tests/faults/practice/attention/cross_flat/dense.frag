#version 100
#include "flat.glsl"
uniform sampler2D source;
uniform sampler2D weight;
uniform sampler2D bias;
uniform vec2 sourceSize;
uniform vec2 weightSize;
uniform vec2 biasSize;
uniform float outputs;

void main() {
    float me = ownIndex();
    float t = quotient(me, outputs);
    float o = me - t * outputs;
    float sum = at(bias, biasSize, o);
    for (int i = 0; i < INPUTS; i++) {
        sum += at(source, sourceSize, t * float(INPUTS) + float(i)) * at(weight, weightSize, o * float(INPUTS) + float(i));
    }
#ifdef RELU
    sum = max(sum, 0.0);
#endif
    gl_FragColor = vec4(sum, 0.0, 0.0, 1.0);
}
