#version 330 core
#include "common.glsl"
// The same with a skip connection: y = skip + x W^T.

uniform sampler2D tX;
uniform sampler2D tW;
uniform sampler2D tSkip;
uniform int uIn4;

out vec4 fragColor;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    vec4 y = linear4(tX, tW, pos, uIn4);
    y += FETCH4(tSkip, pos.y, pos.x);
    fragColor = y;
}
