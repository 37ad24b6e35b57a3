#version 330
// a 1x1 convolution onto what there was before: the residual way of a block, or the sum of skips
#include "seq.glsl"
uniform sampler2D z, w, b, before;
uniform int C, T;
out float y;
void main() {
    int i = me(), o = i / T, t = i % T;
    float acc = at(b, o);
    for (int c = 0; c < C; ++c) acc += at(w, o * C + c) * at(z, c * T + t);
    acc += at(before, i);
#ifdef RECTIFY
    acc = max(acc, 0.);
#endif
    y = acc;
}
