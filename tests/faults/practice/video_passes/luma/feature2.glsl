#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D LUMA;
uniform vec2 LUMA_pt;
#define LUMA_pos pos
#define LUMA_tex(p) texture(LUMA, p)
#define LUMA_texOff(off) LUMA_tex(LUMA_pos + LUMA_pt * vec2(off))


vec4 hook() {
    vec4 res = vec4(0.004972, 0.205668, 0.419213, 0.000000);
    res += vec4(-0.101208, -0.171539, 0.069889, 0.000000) * float(LUMA_texOff(vec2(-1,-1)));
    res += vec4(-0.269276, -0.185145, -0.335888, 0.000000) * float(LUMA_texOff(vec2(-1,0)));
    res += vec4(0.053271, -0.358281, 0.054254, 0.000000) * float(LUMA_texOff(vec2(-1,1)));
    res += vec4(-0.243803, -0.159859, 0.020095, 0.000000) * float(LUMA_texOff(vec2(0,-1)));
    res += vec4(-0.362952, 0.100806, -0.162959, 0.000000) * float(LUMA_texOff(vec2(0,0)));
    res += vec4(0.141387, 0.289917, 0.260537, 0.000000) * float(LUMA_texOff(vec2(0,1)));
    res += vec4(0.252829, 0.192175, 0.379983, 0.000000) * float(LUMA_texOff(vec2(1,-1)));
    res += vec4(0.420395, -0.026838, -0.030092, 0.000000) * float(LUMA_texOff(vec2(1,0)));
    res += vec4(0.187752, -0.386809, 0.093330, 0.000000) * float(LUMA_texOff(vec2(1,1)));
    return res;
}

void main() {
    color = hook();
}
