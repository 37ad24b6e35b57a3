#version 430
// 3x3 mean that counts the border too; the group's places and one around them go through shared memory

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32f) readonly uniform image2D u_in;
layout(rgba32f) writeonly uniform image2D u_out;

uniform ivec2 u_shape;

shared vec4 cache[10][10];

vec4 fetch(ivec2 p, int slice) {
    if (p.x < 0 || p.y < 0 || p.x >= u_shape.x || p.y >= u_shape.y) return vec4(0.0);
    return imageLoad(u_in, ivec2(p.x + slice * u_shape.x, p.y));
}

void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    ivec2 l = ivec2(gl_LocalInvocationID.xy);
    int slice = int(gl_WorkGroupID.z);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * 8 - 1;

    for (uint i = gl_LocalInvocationIndex; i < 100u; i += 64u) {
        ivec2 t = ivec2(i % 10u, i / 10u);
        cache[t.y][t.x] = fetch(corner + t, slice);
    }
    groupMemoryBarrier();
    barrier();

    vec4 sum = vec4(0.0);
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            sum += cache[l.y + dy][l.x + dx];

    if (p.x < u_shape.x && p.y < u_shape.y)
        imageStore(u_out, ivec2(p.x + slice * u_shape.x, p.y), sum / 9.0);
}
