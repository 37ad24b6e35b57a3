#version 430
// Bicubic by 4 x 4 reads, edges repeated.
#include "tiles.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D u_image;
layout(r32f) uniform writeonly image2D u_result;
uniform vec2 u_source, u_target;
uniform int u_columns, u_target_columns;
uniform float u_a;

vec4 weights(float t) {
    float near = t, far = 1.0 + t;
    vec4 w;
    w.x = ((u_a * far - 5.0 * u_a) * far + 8.0 * u_a) * far - 4.0 * u_a;
    w.y = ((u_a + 2.0) * near - (u_a + 3.0)) * near * near + 1.0;
    near = 1.0 - t;
    w.z = ((u_a + 2.0) * near - (u_a + 3.0)) * near * near + 1.0;
    w.w = 1.0 - w.x - w.y - w.z;
    return w;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    int c = int(gl_GlobalInvocationID.z);
    if (any(greaterThanEqual(vec2(at), u_target))) return;

    vec2 place = (vec2(at) + 0.5) * u_source / u_target - 0.5;
    vec2 first = floor(place);
    vec4 wx = weights(place.x - first.x);
    vec4 wy = weights(place.y - first.y);
    vec2 start = vec2(corner(c, u_columns, ivec2(u_source)));

    float sum = 0.0;
    for (int j = 0; j < 4; ++j) {
        float row = 0.0;
        for (int i = 0; i < 4; ++i) {
            vec2 p = clamp(first + vec2(i - 1, j - 1), vec2(0.0), u_source - 1.0);
            row += wx[i] * texelFetch(u_image, ivec2(start + p), 0).r;
        }
        sum += wy[j] * row;
    }
    imageStore(u_result, corner(c, u_target_columns, ivec2(u_target)) + at, vec4(sum));
}
