#version 330
#include "rgba.glsl"
// six taps of all channels, every third moment

uniform sampler2D y, w, bias;
uniform int cols, wcols, ocols, T, TO;
out vec4 o;

const int K = 6, STEP = 3, GROUPS = 3, OUT = 6;

void main() {
    ivec2 at = own(ocols, TO);
    o = texelFetch(bias, ivec2(at.x, 0), 0);
    for (int g = 0; g < GROUPS; g++)
        for (int k = 0; k < K; k++) {
            vec4 v = load(y, g, cols, T, at.y * STEP + k);
            for (int l = 0; l < 4 && 4 * at.x + l < OUT; l++)
                o[l] += dot(v, load(w, (4 * at.x + l) * GROUPS + g, wcols, K, k));
        }
}
