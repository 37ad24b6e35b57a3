#version 430
// twice as large, bilinear between centres, times a gate

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32f) readonly uniform image2D u_low;
layout(rgba32f) readonly uniform image2D u_gate;
layout(rgba32f) writeonly uniform image2D u_out;

uniform ivec2 u_low_shape;
uniform ivec2 u_shape;

vec4 low(ivec2 p, int slice) {
    p = clamp(p, ivec2(0), u_low_shape - 1);
    return imageLoad(u_low, ivec2(p.x + slice * u_low_shape.x, p.y));
}

void main() {
    ivec3 id = ivec3(gl_GlobalInvocationID);
    if (id.x >= u_shape.x || id.y >= u_shape.y) return;

    vec2 src = (vec2(id.xy) + 0.5) * 0.5 - 0.5;
    vec2 base = floor(src);
    vec2 t = src - base;
    ivec2 i = ivec2(base);

    vec4 top = mix(low(i, id.z), low(i + ivec2(1, 0), id.z), t.x);
    vec4 bottom = mix(low(i + ivec2(0, 1), id.z), low(i + ivec2(1, 1), id.z), t.x);
    vec4 value = mix(top, bottom, t.y);

    vec4 gate = imageLoad(u_gate, ivec2(id.x + id.z * u_shape.x, id.y));
    gate = 1.0 / (1.0 + exp(-gate));
    imageStore(u_out, ivec2(id.x + id.z * u_shape.x, id.y), value * gate);
}
