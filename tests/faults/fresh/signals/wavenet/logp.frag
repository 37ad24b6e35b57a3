#version 330
// the last 1x1 convolution and its log softmax over the classes of a moment
#include "seq.glsl"
#define CLASSES 5
uniform sampler2D z, w, b;
uniform int C, T;
out float y;
void main() {
    int i = me(), o = i / T, t = i % T;
    float l[CLASSES], top = -1e30, own = 0., sum = 0.;
    for (int q = 0; q < CLASSES; ++q) {
        l[q] = at(b, q);
        for (int c = 0; c < C; ++c) l[q] += at(w, q * C + c) * at(z, c * T + t);
        top = max(top, l[q]);
        if (q == o) own = l[q];
    }
    for (int q = 0; q < CLASSES; ++q) sum += exp(l[q] - top);
    y = own - top - log(sum);
}
