#version 330
#include "flat.glsl"
#define COUNT (T * D)
#define START 0.3
uniform sampler2D ZC;

// g of "Were RNNs all we needed?"
float g(float v) {
    return v >= 0.0 ? v + 0.5 : SIGMOID(v);
}

void main() {
    fragOut = vec4(0.0);
    EACH_LANE(
        int d = e % D;
        float h = START;
        for (int s = 0; s <= e / D; ++s) {
            float z = SIGMOID(GET(ZC, s * 2 * D + d));
            float c = g(GET(ZC, s * 2 * D + D + d));
            h = (1.0 - z) * h + z * c;
        }
        fragOut[l] = h;
    )
}
