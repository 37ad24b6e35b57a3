#version 330
#include "lanes.glsl"
// power of a bin, summed up to bands under the triangles of the bank
uniform sampler2D RE, IM, BANK;
uniform int WIDTH, BINS, BANDS, N;
out vec4 res;
#define SQ(v) ((v) * (v))
#define POWER(t, k) (SQ(MAT(RE, t, k, BINS)) + SQ(MAT(IM, t, k, BINS)))
void main() {
    FOR_LANES(i) {
        int m = i % BANDS, t = i / BANDS;
        float s = 0.0;
        for (int k = 0; k < BINS; ++k) s += POWER(t, k) * MAT(BANK, k, m, BANDS);
        res[lane] = s / float(N);
    }
}
