#version 330 core
#include "common.glsl"

uniform sampler2D tX;
uniform sampler2D tGain;
uniform int uWidth4;
uniform float uEps;

out vec4 fragColor;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    float ss = 0.0;
    for (int i = 0; i < uWidth4; ++i) {
        vec4 v = FETCH4(tX, pos.y, i);
        ss += dot(v, v);
    }
    ss = ss / float(4 * uWidth4);
    float inv = 1.0 / sqrt(ss + uEps);
    fragColor = FETCH4(tX, pos.y, pos.x) * inv * FETCH4(tGain, 0, pos.x);
}
