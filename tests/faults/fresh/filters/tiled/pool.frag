#version 330
// The mean of each feature over the picture, two texels.

#include "features.glsl"

uniform sampler2D s_features;

layout(location = 0) out vec4 o_mean;

void main() {
    int group = int(gl_FragCoord.x);
    vec4 total = vec4(0.0);
    for (int y = 0; y < u_height; ++y) {
        vec4 ofRow = vec4(0.0);
        for (int x = 0; x < u_width; ++x) {
            ofRow += featuresAt(s_features, group, ivec2(x, y));
        }
        total += ofRow;
    }
    o_mean = total / float(u_width * u_height);
}
