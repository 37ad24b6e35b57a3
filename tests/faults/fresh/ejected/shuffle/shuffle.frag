#version 330 core
// channel a * 3 + b comes from channel b * 4 + a: lane a of the texel of group b

uniform sampler2D tex_in;

layout(location = 0) out vec4 o_color;

void main() {
    ivec2 xy = ivec2(gl_FragCoord.xy);
    int group = xy.x / 5;
    int x = xy.x % 5;

    vec4 t[3];
    t[0] = texelFetch(tex_in, ivec2(x, xy.y), 0);
    t[1] = texelFetch(tex_in, ivec2(x + 5, xy.y), 0);
    t[2] = texelFetch(tex_in, ivec2(x + 10, xy.y), 0);

    for (int lane = 0; lane < 4; lane++) {
        int c = group * 4 + lane;
        o_color[lane] = t[c % 3][c / 3];
    }
}
