#version 330
#include "tiles.glsl"

uniform sampler2D down;
uniform sampler2D weight;
out float wide;

const ivec2 SIZE = ivec2(10, 6);
const int DILATION = 2;
const float BIAS[6] = float[6](-0.1916, -0.0660, 0.0086, 0.1127, -0.1016, 0.0128);

void main() {
    Element e = element(ivec2(gl_FragCoord.xy), 3, SIZE);
    int first = e.c / 3 * 3;  // of the group
    float sum = 0.0;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                ivec2 from = e.at + DILATION * (ivec2(j, i) - 1);
                float x = fetch_or_zero(down, 3, SIZE, first + c, from);
                sum += x * texelFetch(weight, ivec2(j, (e.c * 3 + c) * 3 + i), 0).r;
            }
        }
    }
    wide = max(sum + BIAS[e.c], 0.0);
}
