#version 330
// n = tanh(Ux * x + Uh * (r . h) + b)
#include "packed.glsl"
uniform sampler2D tex_x;
uniform sampler2D tex_h;
uniform sampler2D tex_zr;
uniform sampler2D tex_wx;
uniform sampler2D tex_wh;
uniform sampler2D tex_b;
out vec4 outColor;

vec4 four(sampler2D weights, int og, int groups, int g, ivec2 tap, vec4 v) {
    return vec4(
        dot(kernel4(weights, og * 4 + 0, groups, g, tap), v),
        dot(kernel4(weights, og * 4 + 1, groups, g, tap), v),
        dot(kernel4(weights, og * 4 + 2, groups, g, tap), v),
        dot(kernel4(weights, og * 4 + 3, groups, g, tap), v)
    );
}

void main() {
    ivec2 frag = ivec2(gl_FragCoord.xy);
    int og = frag.x / WID + frag.y / HGT * 2;
    ivec2 at = ivec2(frag.x % WID, frag.y % HGT);

    vec4 acc = vec4(0.0);
    for (int t = 0; t < 9; t++) {
        ivec2 tap = ivec2(t % 3, t / 3);
        ivec2 from = at + tap - ivec2(1);
        acc += four(tex_wx, og, 2, 0, tap, feature(tex_x, 0, from));
        acc += four(tex_wx, og, 2, 1, tap, feature(tex_x, 1, from));
        for (int g = 0; g < 2; g++) {
            vec4 r = feature(tex_zr, g + 2, from);
            vec4 state = feature(tex_h, g, from);
            acc += four(tex_wh, og, 2, g, tap, r * state);
        }
    }
    outColor = tanh(acc + row4(tex_b, og));
}
