#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "flat.glsl"
#define C 10
#define AREA 54

uniform sampler2D X;
uniform int W_OUT;
out vec4 Y;

void main() {
    Y = vec4(0.0);
    EACH_LANE {
        int c = HERE * 4 + l;
        if (c >= C) break;
        float total = 0.0;
        for (int k = 0; k < AREA; k++) total += AT(X, c * AREA + k);
        Y[l] = total / float(AREA);
    }
}
