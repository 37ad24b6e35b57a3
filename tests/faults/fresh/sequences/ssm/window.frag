#version 330
#include "flat.glsl"
#define COUNT (T * D)
#define SPAN 4
uniform sampler2D S;

// Mean of the last SPAN frames, of fewer at the start; what is left after it goes on.
void main() {
    fragOut = vec4(0.0);
    EACH_LANE(
        int t = e / D;
        int from = max(0, t - SPAN + 1);
        float sum = 0.0;
        for (int s = from; s <= t; ++s) sum += GET(S, s * D + e % D);
        fragOut[l] = GET(S, e) - sum / float(t - from + 1);
    )
}
