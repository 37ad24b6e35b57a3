#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "flat.glsl"
#define AREA 54

uniform sampler2D X, E;
uniform int W_OUT;
out vec4 Y;

void main() {
    vec4 x = texelFetch(X, ivec2(gl_FragCoord.xy), 0);
    int first = HERE * 4;
    Y = x * vec4(AT(E, first / AREA), AT(E, (first + 1) / AREA), AT(E, (first + 2) / AREA), AT(E, (first + 3) / AREA));
}
