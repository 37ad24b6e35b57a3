#version 330
#include "g.glsl"
uniform sampler2D s;
uniform int T;
out float o;
void main() {
    float m = g(s, 0, R), z = 0.;
    for (int j = 1; j < T; j++) m = max(m, g(s, j, R));
    for (int j = 0; j < T; j++) z += exp(g(s, j, R) - m);
    o = exp(g(s, C, R) - m) / z;
}
