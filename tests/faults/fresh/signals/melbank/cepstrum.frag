#version 330
#include "lanes.glsl"
// the cosine transform over bands, higher coefficients lifted
uniform sampler2D LOUD, DCT;
uniform int WIDTH, BANDS, COEFS;
out vec4 res;
#define LIFT 22.0
#define LIFTER(q) (1.0 + 0.5 * LIFT * sin(PI * float(q) / LIFT))
void main() {
    FOR_LANES(i) {
        int q = i % COEFS, t = i / COEFS;
        float s = 0.0;
        for (int m = 0; m < BANDS; ++m) s += MAT(LOUD, t, m, BANDS) * MAT(DCT, m, q, COEFS);
        res[lane] = s * LIFTER(q);
    }
}
