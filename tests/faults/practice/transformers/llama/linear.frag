#version 330 core
#include "common.glsl"

uniform sampler2D tX;
uniform sampler2D tW;
uniform int uIn4;

out vec4 fragColor;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    fragColor = linear4(tX, tW, pos, uIn4);
}
