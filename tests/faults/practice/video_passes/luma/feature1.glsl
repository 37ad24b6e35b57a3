#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D LUMA;
uniform vec2 LUMA_pt;
#define LUMA_pos pos
#define LUMA_tex(p) texture(LUMA, p)
#define LUMA_texOff(off) LUMA_tex(LUMA_pos + LUMA_pt * vec2(off))


vec4 hook() {
    vec4 res = vec4(-0.362212, 0.005194, 0.067574, 0.088195);
    res += vec4(0.073269, 0.367949, -0.107841, 0.021035) * float(LUMA_texOff(vec2(-1,-1)));
    res += vec4(-0.272602, -0.166759, -0.217716, 0.166591) * float(LUMA_texOff(vec2(-1,0)));
    res += vec4(0.004997, 0.007969, -0.623361, 0.573951) * float(LUMA_texOff(vec2(-1,1)));
    res += vec4(0.203453, 0.282960, -0.106187, 0.002783) * float(LUMA_texOff(vec2(0,-1)));
    res += vec4(-0.597551, -0.107007, -0.470375, 0.118888) * float(LUMA_texOff(vec2(0,0)));
    res += vec4(0.061719, -0.184850, 0.079314, -0.367205) * float(LUMA_texOff(vec2(0,1)));
    res += vec4(-0.175659, -0.036547, 0.461176, -0.615183) * float(LUMA_texOff(vec2(1,-1)));
    res += vec4(0.291487, -0.239588, 0.109865, -0.351599) * float(LUMA_texOff(vec2(1,0)));
    res += vec4(-0.235078, 0.175663, 0.294516, -0.503787) * float(LUMA_texOff(vec2(1,1)));
    return res;
}

void main() {
    color = hook();
}
