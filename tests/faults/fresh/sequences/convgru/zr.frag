#version 330
// Update gate z in channels 0 to 7, reset gate r in 8 to 15.
#include "packed.glsl"
uniform sampler2D tex_x;
uniform sampler2D tex_h;
uniform sampler2D tex_wx;
uniform sampler2D tex_wh;
uniform sampler2D tex_b;
out vec4 outColor;

const int X_GROUPS = 2;
const int H_GROUPS = 2;

void main() {
    ivec2 frag = ivec2(gl_FragCoord.xy);
    ivec2 tile = frag / ivec2(WID, HGT);
    ivec2 at = frag - tile * ivec2(WID, HGT);
    int og = tile.y * 2 + tile.x;

    vec4 acc = row4(tex_b, og);
    for (int ky = 0; ky < 3; ky++) {
        for (int kx = 0; kx < 3; kx++) {
            ivec2 tap = ivec2(kx, ky);
            ivec2 from = at + tap - 1;
            for (int g = 0; g < X_GROUPS; g++) {
                vec4 v = feature(tex_x, g, from);
                for (int lane = 0; lane < 4; lane++) {
                    acc[lane] += dot(kernel4(tex_wx, og * 4 + lane, X_GROUPS, g, tap), v);
                }
            }
            for (int g = 0; g < H_GROUPS; g++) {
                vec4 v = feature(tex_h, g, from);
                for (int lane = 0; lane < 4; lane++) {
                    acc[lane] += dot(kernel4(tex_wh, og * 4 + lane, H_GROUPS, g, tap), v);
                }
            }
        }
    }
    outColor = 1.0 / (1.0 + exp(-acc));
}
