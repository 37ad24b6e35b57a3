#version 330
#include "lanes.glsl"
// both halves of the spectrum as products with the matrices of cosines and of minus sines
uniform sampler2D FRAMES, COSINES, SINES;
uniform int WIDTH, N, BINS;
layout(location = 0) out vec4 re;
layout(location = 1) out vec4 im;
void main() {
    FOR_LANES(i) {
        int k = i % BINS, t = i / BINS;
        vec2 s = vec2(0.0);
        for (int n = 0; n < N; ++n)
            s += MAT(FRAMES, t, n, N) * vec2(MAT(COSINES, n, k, BINS), MAT(SINES, n, k, BINS));
        re[lane] = s.x;
        im[lane] = s.y;
    }
}
