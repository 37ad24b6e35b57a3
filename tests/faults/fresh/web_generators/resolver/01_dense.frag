#version 300 es
// 01 dense: conv 3x3 + relu, 8 -> 4. Written by export_glsl.py
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D u_src;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform ivec2 u_size;
out vec4 o_color;

vec4 src(int group, ivec2 p) {
    bool inside = p.x >= 0 && p.y >= 0 && p.x < u_size.x && p.y < u_size.y;
    return inside ? texelFetch(u_src, ivec2(p.x + group * u_size.x, p.y), 0) : vec4(0.0);
}

vec4 tap(ivec2 p, int k) {
    vec4 a = src(0, p);
    vec4 b = src(1, p);
    vec4 r = a.x * texelFetch(u_w, ivec2(0, k), 0);
    r += a.y * texelFetch(u_w, ivec2(1, k), 0);
    r += a.z * texelFetch(u_w, ivec2(2, k), 0);
    r += a.w * texelFetch(u_w, ivec2(3, k), 0);
    r += b.x * texelFetch(u_w, ivec2(4, k), 0);
    r += b.y * texelFetch(u_w, ivec2(5, k), 0);
    r += b.z * texelFetch(u_w, ivec2(6, k), 0);
    r += b.w * texelFetch(u_w, ivec2(7, k), 0);
    return r;
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec4 r = texelFetch(u_b, ivec2(0, 0), 0);
    r += tap(p + ivec2(-1, -1), 0);
    r += tap(p + ivec2(0, -1), 1);
    r += tap(p + ivec2(1, -1), 2);
    r += tap(p + ivec2(-1, 0), 3);
    r += tap(p, 4);
    r += tap(p + ivec2(1, 0), 5);
    r += tap(p + ivec2(-1, 1), 6);
    r += tap(p + ivec2(0, 1), 7);
    r += tap(p + ivec2(1, 1), 8);
    o_color = max(r, vec4(0.0));
}
