#version 330
#include "lanes.glsl"
// frames of N samples, HOP apart, less their means, under a Hann window
uniform sampler2D WAVE;
uniform int WIDTH, N, HOP;
out vec4 res;
#define HANN(n) (0.5 - 0.5 * cos(2.0 * PI * float(n) / float(N)))
float mean(int start) {
    float s = 0.0;
    for (int n = 0; n < N; ++n) s += EL(WAVE, start + n);
    return s / float(N);
}
void main() {
    FOR_LANES(i) {
        int n = i % N, start = (i / N) * HOP;
        res[lane] = (EL(WAVE, start + n) - mean(start)) * HANN(n);
    }
}
