#version 430
// 2x2 maximum with stride 2

layout(local_size_x = 4, local_size_y = 4) in;

layout(rgba32f) readonly uniform image2D u_in;
layout(rgba32f) writeonly uniform image2D u_out;

uniform ivec2 u_in_shape;
uniform ivec2 u_out_shape;

void main() {
    ivec3 id = ivec3(gl_GlobalInvocationID);
    if (id.x >= u_out_shape.x || id.y >= u_out_shape.y) return;
    ivec2 base = id.xy * 2 + ivec2(id.z * u_in_shape.x, 0);

    vec4 a = imageLoad(u_in, base);
    vec4 b = imageLoad(u_in, base + ivec2(1, 0));
    vec4 c = imageLoad(u_in, base + ivec2(0, 1));
    vec4 d = imageLoad(u_in, base + ivec2(1, 1));
    imageStore(u_out, ivec2(id.x + id.z * u_out_shape.x, id.y), max(max(a, b), max(c, d)));
}
