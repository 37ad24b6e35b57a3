#version 330
// a 1x1 convolution, the first of the skips
#include "seq.glsl"
uniform sampler2D z, w, b;
uniform int C, T;
out float y;
void main() {
    int i = me();
    int t = i % T, j = i / T * C, e = j + C;
    for (y = at(b, i / T); j < e; ++j, t += T) y += at(w, j) * at(z, t);
}
