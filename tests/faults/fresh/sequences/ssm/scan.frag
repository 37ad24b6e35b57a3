#version 330
#include "flat.glsl"
#define COUNT (T * D)
uniform sampler2D U, DT, BB, CC, AL, DS;

float scan(int t, int d) {
    float y = GET(DS, d) * GET(U, t * D + d);
    for (int n = 0; n < N; ++n) {
        float A = -exp(GET(AL, d * N + n));
        float h = 0.0;
        for (int s = 0; s <= t; ++s) {
            float dt = GET(DT, s * D + d);
            h = exp(dt * A) * h + dt * GET(BB, s * N + n) * GET(U, s * D + d);
        }
        y += GET(CC, t * N + n) * h;
    }
    return y;
}

void main() {
    fragOut = vec4(0.0);
    EACH_LANE(
        fragOut[l] = scan(e / D, e % D);
    )
}
