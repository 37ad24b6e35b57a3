#version 430
// The sum of a map's places by their shares. The shares begin u_top rows further down in the map.
layout(local_size_x = 4) in;

layout(rgba32f) readonly uniform image2D u_map;
layout(rgba32f) readonly uniform image2D u_share;
layout(rgba32f) writeonly uniform image2D u_dst;

uniform ivec4 u_size;  // of the shares: width, height, channels, slices
uniform int u_top;

void main() {
    int z = int(gl_GlobalInvocationID.x);
    if (z >= u_size.w) return;

    vec4 sum = vec4(0.0);
    for (int y = 0; y < u_size.y; ++y) {
        for (int x = 0; x < u_size.x; ++x) {
            int column = z * u_size.x + x;
            sum += imageLoad(u_map, ivec2(column, y + u_top)) * imageLoad(u_share, ivec2(column, y));
        }
    }
    imageStore(u_dst, ivec2(z, 0), sum);
}
