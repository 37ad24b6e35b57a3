#version 430
// The cube root of the mean of cubes, over windows of two by two.
layout(local_size_x = 4, local_size_y = 4) in;

layout(rgba32f) readonly uniform image2D u_src;
layout(rgba32f) writeonly uniform image2D u_dst;

uniform int u_src_width;
uniform ivec4 u_dst_size;  // width, height, channels, slices
uniform float u_least;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(pos, u_dst_size.xyw))) return;

    vec4 sum = vec4(0.0);
    for (int dy = 0; dy < 2; ++dy) {
        for (int dx = 0; dx < 2; ++dx) {
            vec4 v = imageLoad(u_src, ivec2(pos.z * u_src_width + 2 * pos.x + dx, 2 * pos.y + dy));
            v = max(v, u_least);
            sum += v * v * v;
        }
    }
    imageStore(u_dst, ivec2(pos.z * u_dst_size.x + pos.x, pos.y), pow(sum / 4.0, vec4(1.0 / 3.0)));
}
