#version 300 es
// 04 detail: conv 3x3, 8 -> 12, three groups of four side by side. Written by export_glsl.py
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D u_src;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform ivec2 u_size;
out vec4 o_color;

#define IN_GROUPS 2

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int og = p.x / u_size.x;
    p.x = p.x % u_size.x;

    vec4 r = texelFetch(u_b, ivec2(og % 2, og / 2), 0);
    for (int ig = 0; ig < IN_GROUPS; ig++) {
        for (int k = 0; k < 9; k++) {
            ivec2 q = p + ivec2(k % 3 - 1, k / 3 - 1);
            if (q != clamp(q, ivec2(0), u_size - 1)) continue;
            vec4 v = texelFetch(u_src, ivec2(ig * u_size.x + q.x, q.y), 0);
            int at = k * 8 + ig * 4;
            r += texelFetch(u_w, ivec2(at, og), 0) * v.r;
            r += texelFetch(u_w, ivec2(at + 1, og), 0) * v.g;
            r += texelFetch(u_w, ivec2(at + 2, og), 0) * v.b;
            r += texelFetch(u_w, ivec2(at + 3, og), 0) * v.a;
        }
    }
    o_color = r;
}
