#version 330 core
#include "common.glsl"

uniform sampler2D tX;
uniform sampler2D tGate;
uniform sampler2D tUp;
uniform int uIn4;

out vec4 fragColor;

vec4 silu(vec4 z) { return z / (1.0 + exp(-z)); }

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    vec4 gate = linear4(tX, tGate, pos, uIn4);
    vec4 up = linear4(tX, tUp, pos, uIn4);
    fragColor = silu(gate) * up;
}
