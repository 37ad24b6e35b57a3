#version 100
#include "flat.glsl"
uniform sampler2D source;
uniform sampler2D weight;
uniform sampler2D bias;
uniform sampler2D skip;
uniform vec2 sourceSize;
uniform vec2 weightSize;
uniform vec2 biasSize;
uniform vec2 skipSize;
uniform float outputs;

void main() {
    float me = ownIndex();
    float t = quotient(me, outputs);
    float o = me - t * outputs;
    float sum = 0.0;
    for (int i = 0; i < INPUTS; i++) {
        float a = at(source, sourceSize, t * float(INPUTS) + float(i));
        sum += a * at(weight, weightSize, o * float(INPUTS) + float(i));
    }
    sum += at(bias, biasSize, o);
    sum += at(skip, skipSize, me);
    gl_FragColor = vec4(sum, 0.0, 0.0, 1.0);
}
