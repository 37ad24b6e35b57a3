#version 430
// Bilinear, by the sampler: centres of pixels on centres of pixels.
#include "tiles.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D u_image;
layout(r32f) uniform writeonly image2D u_result;
uniform ivec2 u_source, u_target;
uniform int u_columns, u_target_columns, u_channels;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (at.x >= u_target.x || at.y >= u_target.y || at.z >= u_channels) return;

    vec2 ratio = vec2(u_source) / vec2(u_target);
    vec2 place = (vec2(at.xy) + 0.5) * ratio;
    place = clamp(place, vec2(0.5), vec2(u_source) - 0.5);  // not into the next tile

    vec2 uv = (vec2(corner(at.z, u_columns, u_source)) + place) / vec2(textureSize(u_image, 0));
    float value = textureLod(u_image, uv, 0.0).r;
    imageStore(u_result, corner(at.z, u_target_columns, u_target) + at.xy, vec4(value));
}
