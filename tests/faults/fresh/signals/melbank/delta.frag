#version 330
#include "lanes.glsl"
// the slope over five frames; beyond the first and the last these go on
uniform sampler2D CEP;
uniform int WIDTH, COEFS, FRAMES;
out vec4 res;
#define REACH 2
#define CLAMPED(t) clamp(t, 0, FRAMES - 1)
void main() {
    FOR_LANES(i) {
        int q = i % COEFS, t = i / COEFS;
        float up = 0.0, norm = 0.0;
        for (int d = 1; d <= REACH; ++d) {
            up += float(d) * (MAT(CEP, CLAMPED(t + d), q, COEFS) - MAT(CEP, CLAMPED(t - d), q, COEFS));
            norm += 2.0 * float(d * d);
        }
        res[lane] = up / norm;
    }
}
