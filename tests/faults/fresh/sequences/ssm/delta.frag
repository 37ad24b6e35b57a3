#version 330
#include "flat.glsl"
#define COUNT (T * D)
uniform sampler2D U, WD, BD;
#define SOFTPLUS(v) (max(v, 0.0) + log(1.0 + exp(-abs(v))))

float delta(int t, int d) {
    float acc = GET(BD, d);
    for (int k = 0; k < D; ++k)
        acc += GET(U, t * D + k) * GET(WD, k * D + d);
    return SOFTPLUS(acc);
}

void main() {
    fragOut = vec4(0.0);
    EACH_LANE(
        fragOut[l] = delta(e / D, e % D);
    )
}
