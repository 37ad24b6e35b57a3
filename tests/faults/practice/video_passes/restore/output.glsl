#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D MAIN;
uniform vec2 MAIN_pt;
#define MAIN_pos pos
#define MAIN_tex(p) texture(MAIN, p)
#define MAIN_texOff(off) MAIN_tex(MAIN_pos + MAIN_pt * vec2(off))

uniform sampler2D conv2d_tf;
uniform vec2 conv2d_tf_pt;
#define conv2d_tf_pos pos
#define conv2d_tf_tex(p) texture(conv2d_tf, p)
#define conv2d_tf_texOff(off) conv2d_tf_tex(conv2d_tf_pos + conv2d_tf_pt * vec2(off))

uniform sampler2D conv2d_1_tf;
uniform vec2 conv2d_1_tf_pt;
#define conv2d_1_tf_pos pos
#define conv2d_1_tf_tex(p) texture(conv2d_1_tf, p)
#define conv2d_1_tf_texOff(off) conv2d_1_tf_tex(conv2d_1_tf_pos + conv2d_1_tf_pt * vec2(off))

#define g_0 (max((conv2d_tf_tex(conv2d_tf_pos)), 0.0))
#define g_1 (max((conv2d_1_tf_tex(conv2d_1_tf_pos)), 0.0))
#define g_2 (max(-(conv2d_tf_tex(conv2d_tf_pos)), 0.0))
#define g_3 (max(-(conv2d_1_tf_tex(conv2d_1_tf_pos)), 0.0))

vec4 hook() {
    vec4 result = mat4(-0.210645, -0.382589, -0.200684, 0.000000, 0.217365, -0.235987, 0.107971, 0.000000, 0.231098, 0.160227, 0.332594, 0.000000, 0.022997, -0.036463, -0.006269, 0.000000) * g_0;
    result += mat4(-0.081743, 0.094398, 0.184213, 0.000000, -0.024362, -0.384829, -0.144178, 0.000000, 0.086726, 0.254737, -0.401817, 0.000000, 0.239916, 0.055666, 0.348266, 0.000000) * g_1;
    result += mat4(-0.219973, -0.044328, -0.165411, 0.000000, -0.170380, 0.017586, 0.179872, 0.000000, 0.199986, -0.072079, 0.234289, 0.000000, 0.188939, -0.051273, 0.375198, 0.000000) * g_2;
    result += mat4(0.010379, -0.509208, -0.117212, 0.000000, -0.030409, -0.229564, 0.248875, 0.000000, 0.223488, 0.240642, -0.208145, 0.000000, 0.030899, -0.049090, -0.320290, 0.000000) * g_3;
    result += vec4(-0.320035, 0.045409, -0.290790, 0.000000);
    result += MAIN_tex(MAIN_pos);
    return result;
}

void main() {
    color = hook();
}
