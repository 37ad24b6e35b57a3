#version 330 core
// x: the class, y: the picture. Six features: a texel and a half for each picture.

uniform sampler2D tex_in;
uniform sampler2D tex_w;
uniform sampler2D tex_b;

layout(location = 0) out float o_value;

void main() {
    int j = int(gl_FragCoord.x), n = int(gl_FragCoord.y);

    vec4 t0 = texelFetch(tex_in, ivec2(0, 0), 0);
    vec4 t1 = texelFetch(tex_in, ivec2(1, 0), 0);
    vec4 t2 = texelFetch(tex_in, ivec2(0, 1), 0);
    vec4 head = n == 0 ? t0 : vec4(t1.zw, t2.xy);
    vec2 tail = n == 0 ? t1.xy : t2.zw;

    float s = texelFetch(tex_b, ivec2(j, 0), 0).x;
    s += head.x * texelFetch(tex_w, ivec2(0, j), 0).x;
    s += head.y * texelFetch(tex_w, ivec2(1, j), 0).x;
    s += head.z * texelFetch(tex_w, ivec2(2, j), 0).x;
    s += head.w * texelFetch(tex_w, ivec2(3, j), 0).x;
    s += tail.x * texelFetch(tex_w, ivec2(4, j), 0).x;
    s += tail.y * texelFetch(tex_w, ivec2(5, j), 0).x;
    o_value = s;
}
