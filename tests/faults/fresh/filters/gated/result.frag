#version 430
#include "common.glsl"
layout(binding = 0) uniform sampler2D x;
layout(binding = 1) uniform sampler2D attention;
layout(binding = 2) uniform sampler2D image;
out vec4 color;

// Depth-to-space, weighted, and what came in
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 p = at >> 1;
    ivec2 d = at & 1;
    int k = 3 * (d.y * 2 + d.x);
    vec3 rgb = vec3(CH(x, k, p), CH(x, k + 1, p), CH(x, k + 2, p));
    rgb *= texelFetch(attention, p, 0).r;
    color = vec4(rgb, 1.0);
    color.rgb += texelFetch(image, at, 0).rgb;
}
