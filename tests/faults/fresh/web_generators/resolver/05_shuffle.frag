#version 300 es
// 05 shuffle: 12 channels to 3 of twice the size, over the bilinear enlargement. Written by export_glsl.py
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D u_detail;
uniform sampler2D u_low;
uniform ivec2 u_lowSize;
out vec4 o_color;

vec3 low(ivec2 p) {
    return texelFetch(u_low, clamp(p, ivec2(0), u_lowSize - 1), 0).rgb;
}

vec3 bilinear(ivec2 p) {
    vec2 at = (vec2(p) + 0.5) * 0.5 - 0.5;
    ivec2 i = ivec2(floor(at));
    vec2 f = at - vec2(i);
    vec3 top = mix(low(i), low(i + ivec2(1, 0)), f.x);
    vec3 bottom = mix(low(i + ivec2(0, 1)), low(i + ivec2(1, 1)), f.x);
    return mix(top, bottom, f.y);
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    ivec2 q = p / 2;
    int sub = (p.y % 2) * 2 + p.x % 2;
    vec4 r = texelFetch(u_detail, q, 0);
    vec4 g = texelFetch(u_detail, q + ivec2(u_lowSize.x, 0), 0);
    vec4 b = texelFetch(u_detail, q + ivec2(2 * u_lowSize.x, 0), 0);
    o_color = vec4(vec3(r[sub], g[sub], b[sub]) + bilinear(p), 1.0);
}
