#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D MAP1;
uniform vec2 MAP1_pt;
#define MAP1_pos pos
#define MAP1_tex(p) texture(MAP1, p)
#define MAP1_texOff(off) MAP1_tex(MAP1_pos + MAP1_pt * vec2(off))

uniform sampler2D FEATURE1;
uniform vec2 FEATURE1_pt;
#define FEATURE1_pos pos
#define FEATURE1_tex(p) texture(FEATURE1, p)
#define FEATURE1_texOff(off) FEATURE1_tex(FEATURE1_pos + FEATURE1_pt * vec2(off))


vec4 hook() {
    vec4 res = vec4(0.183283, 0.201740, -0.230395, 0.141624);
    res += mat4(0.215517, 0.009518, 0.059732, -0.454878, 0.122651, 0.474826, 0.015688, 0.238500, 0.583874, -0.171040, -0.667096, 1.066388, 0.161485, 0.253081, -0.001877, -0.101734) * MAP1_texOff(vec2(0));
    res += FEATURE1_texOff(vec2(0));
    res = max(res, vec4(0.0)) + vec4(-0.126078, -0.175934, 0.328181, -0.222367) * min(res, vec4(0.0));
    return res;
}

void main() {
    color = hook();
}
