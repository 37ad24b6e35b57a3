#version 330
#include "tiles.glsl"

uniform sampler2D noisy;
uniform sampler2D feature_weight, feature_bias;
uniform sampler2D gate_weight, gate_bias;
out float enter;

const ivec2 SIZE = ivec2(20, 12);

void main() {
    Element e = element(ivec2(gl_FragCoord.xy), 2, SIZE);
    float feature = texelFetch(feature_bias, ivec2(e.c, 0), 0).r;
    float gate = texelFetch(gate_bias, ivec2(e.c, 0), 0).r;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                float x = fetch_or_zero(noisy, 2, SIZE, c, e.at + ivec2(j - 1, i - 1));
                ivec2 w = ivec2(j, (e.c * 3 + c) * 3 + i);
                feature += x * texelFetch(feature_weight, w, 0).r;
                gate += x * texelFetch(gate_weight, w, 0).r;
            }
        }
    }
    feature = max(feature, 0.2 * feature);
    enter = feature / (1.0 + exp(-gate));
}
