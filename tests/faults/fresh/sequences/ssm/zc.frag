#version 330
#include "flat.glsl"
#define COUNT (T * 2 * D)
uniform sampler2D Y, WZC;

// Columns 0 .. D-1 are the gates, D .. 2D-1 the candidates; WZC is [2D, D].
void main() {
    fragOut = vec4(0.0);
    EACH_LANE(
        int t = e / (2 * D);
        int j = e % (2 * D);
        for (int k = 0; k < D; ++k)
            fragOut[l] += GET(Y, t * D + k) * GET(WZC, j * D + k);
    )
}
