#version 330
#include "flat.glsl"
#define COUNT (T * D)
uniform sampler2D S;

void main() {
    fragOut = vec4(0.0);
    EACH_LANE(
        for (int i = e % D; i <= e; i += D)
            fragOut[l] += GET(S, i);
    )
}
