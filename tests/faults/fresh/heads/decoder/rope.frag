#version 330
// q and k heads side by side, d columns each; column i of the lower half turns with column i + d/2
#include "g.glsl"
uniform sampler2D qkv, cosine, sine;
uniform int d;
out float o;
void main() {
    int h = C / d, i = C % d, m = d / 2, f = i % m;
    float c = g(cosine, f, R), s = g(sine, f, R);
    float a = g(qkv, h * d + f, R), b = g(qkv, h * d + f + m, R);
    o = i < m ? a * c - b * s : b * c + a * s;
}
