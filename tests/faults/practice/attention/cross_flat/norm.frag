#version 100
#include "flat.glsl"
uniform sampler2D source;
uniform sampler2D gain;
uniform sampler2D offset;
uniform vec2 sourceSize;
uniform vec2 gainSize;

const int FEATURES = 15;

void main() {
    float me = ownIndex();
    float start = quotient(me, float(FEATURES)) * float(FEATURES);
    float sum = 0.0;
    for (int c = 0; c < FEATURES; c++) sum += at(source, sourceSize, start + float(c));
    float mean = sum / float(FEATURES);
    float squares = 0.0;
    for (int c = 0; c < FEATURES; c++) {
        float away = at(source, sourceSize, start + float(c)) - mean;
        squares += away * away;
    }
    float spread = sqrt(squares / float(FEATURES) + 0.001);
    float feature = me - start;
    float unit = (at(source, sourceSize, me) - mean) / spread;
    gl_FragColor = vec4(unit * at(gain, gainSize, feature) + at(offset, gainSize, feature), 0.0, 0.0, 1.0);
}
