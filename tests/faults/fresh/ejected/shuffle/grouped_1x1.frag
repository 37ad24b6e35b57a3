#version 330 core
// g1 + prelu. In: 3 texels of channels a picture (9 = 4 + 4 + 1), one row of tiles a picture. Out: group g = tile column.

uniform sampler2D tex_in;
uniform sampler2D tex_w;
uniform sampler2D tex_b;
uniform sampler2D tex_slope;

layout(location = 0) out vec4 o_color;

void main() {
    ivec2 xy = ivec2(gl_FragCoord.xy);
    int g = xy.x / 5;
    int x = xy.x - g * 5;

    vec4 a = texelFetch(tex_in, ivec2(x, xy.y), 0);
    vec4 b = texelFetch(tex_in, ivec2(x + 5, xy.y), 0);
    vec4 c = texelFetch(tex_in, ivec2(x + 10, xy.y), 0);
    vec3 v;
    if (g == 0) v = a.xyz;
    else if (g == 1) v = vec3(a.w, b.xy);
    else v = vec3(b.zw, c.x);

    vec4 s;
    s.x = dot(v, texelFetch(tex_w, ivec2(0, g), 0).xyz);
    s.y = dot(v, texelFetch(tex_w, ivec2(1, g), 0).xyz);
    s.z = dot(v, texelFetch(tex_w, ivec2(2, g), 0).xyz);
    s.w = dot(v, texelFetch(tex_w, ivec2(3, g), 0).xyz);
    s.x += texelFetch(tex_b, ivec2(g * 4, 0), 0).x;
    s.y += texelFetch(tex_b, ivec2(g * 4 + 1, 0), 0).x;
    s.z += texelFetch(tex_b, ivec2(g * 4 + 2, 0), 0).x;
    s.w += texelFetch(tex_b, ivec2(g * 4 + 3, 0), 0).x;

    vec4 slope = texelFetch(tex_slope, ivec2(g % 2, g / 2), 0);
    o_color = max(s, 0.0) + slope * min(s, 0.0);
}
