#version 330
#include "rgba.glsl"
// depthwise causal taps, then a slope of its own for each channel

uniform sampler2D x, taps, bias, slope;
uniform int cols, T;
out vec4 o;

const int K = 5, DIL = 2, CH = 10;

vec4 tap(int g, int k) {
    vec4 v = vec4(0.0);
    for (int l = 0; l < 4; l++)
        if (4 * g + l < CH) v[l] = elem(taps, (4 * g + l) * K + k, 13);
    return v;
}

void main() {
    ivec2 at = own(cols, T);
    vec4 s = texelFetch(bias, ivec2(at.x, 0), 0);
    for (int k = 0; k < K; k++) {
        int t = at.y - DIL * (K - 1 - k);
        if (t >= 0) s += tap(at.x, k) * load(x, at.x, cols, T, t);
    }
    vec4 a = texelFetch(slope, ivec2(at.x, 0), 0);
    o = max(s, 0.0) + a * min(s, 0.0);
}
