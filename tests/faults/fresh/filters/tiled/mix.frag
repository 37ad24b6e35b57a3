#version 330
// Six features to nine, in a grid of two by two tiles.

#include "features.glsl"

uniform sampler2D s_features;

layout(location = 0) out vec4 o_detail;

// mixing[group * 2 + source]
const mat4 mixing[6] = mat4[](
    mat4(-0.26616, -0.21022, -0.02712, 0.08948, 1.00459, -0.43024, 0.36967, 0.5071, 0.12528, -0.47416, 0.41019, 0.32299, 0.23926, -0.11549, 0.38077, 0.17834),
    mat4(-0.28333, -0.61192, 0.40259, -0.66901, 0.78767, -0.13701, 0.8973, -0.03148, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    mat4(0.63485, -0.06308, 0.19096, 0.72206, -0.40158, -0.60482, -1.02891, -0.33361, -0.25091, 0.32546, -0.62006, -0.0157, -0.02405, -0.17563, 0.45217, 0.28457),
    mat4(0.17967, -0.20308, 0.18431, -0.3552, 0.07276, -0.24314, -0.42917, 0.22375, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    mat4(0.17926, 0.0, 0.0, 0.0, -0.34352, 0.0, 0.0, 0.0, -0.52907, 0.0, 0.0, 0.0, 0.56165, 0.0, 0.0, 0.0),
    mat4(-0.00525, 0.0, 0.0, 0.0, 0.7694, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
);
const vec4 bias[3] = vec4[](
    vec4(0.14946, 0.07408, 0.00626, -0.16241),
    vec4(0.05044, -0.12081, 0.2893, 0.23809),
    vec4(-0.31551, 0.0, 0.0, 0.0)
);

void main() {
    ivec2 target = ivec2(gl_FragCoord.xy);
    ivec2 tile = target / ivec2(u_width, u_height);
    ivec2 pixel = target - tile * ivec2(u_width, u_height);
    int group = tile.y * 2 + tile.x;
    if (group > 2) {
        o_detail = vec4(0.0);
        return;
    }
    o_detail = bias[group];
    o_detail += mixing[group * 2] * featuresAt(s_features, 0, pixel);
    o_detail += mixing[group * 2 + 1] * featuresAt(s_features, 1, pixel);
}
