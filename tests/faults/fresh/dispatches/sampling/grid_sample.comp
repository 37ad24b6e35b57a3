#version 430
// Samples where a grid says, -1 to 1 from border to border, zeros beyond.
#include "tiles.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D u_image;
layout(std430) readonly buffer Grid { vec2 grid[]; };
layout(std430) writeonly buffer Result { float result[]; };
uniform vec2 u_source;
uniform ivec2 u_target;
uniform int u_columns;

float texel(vec2 p, int c) {
    bool inside = all(greaterThanEqual(p, vec2(0.0))) && all(lessThan(p, u_source));
    return inside ? texelFetch(u_image, corner(c, u_columns, ivec2(u_source)) + ivec2(p), 0).r : 0.0;
}

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(at.xy, u_target))) return;

    vec2 place = ((grid[at.y * u_target.x + at.x] + 1.0) * u_source - 1.0) * 0.5;
    vec2 p = floor(place);
    vec2 f = place - p;

    float north = (1.0 - f.x) * texel(p, at.z) + f.x * texel(p + vec2(1.0, 0.0), at.z);
    float south = (1.0 - f.x) * texel(p + vec2(0.0, 1.0), at.z) + f.x * texel(p + vec2(1.0), at.z);
    result[(at.z * u_target.y + at.y) * u_target.x + at.x] = (1.0 - f.y) * north + f.y * south;
}
