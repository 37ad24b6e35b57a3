#version 330
#include "packed.glsl"
uniform sampler2D tex_h;
uniform sampler2D tex_zr;
uniform sampler2D tex_n;
out vec4 outColor;

void main() {
    ivec2 frag = ivec2(gl_FragCoord.xy);
    int group = frag.x / WID + frag.y / HGT * 2;
    ivec2 at = frag % ivec2(WID, HGT);
    vec4 z = feature(tex_zr, group, at);
    vec4 keep = texelFetch(tex_h, frag, 0);
    vec4 fresh = texelFetch(tex_n, frag, 0);
    outColor = keep + z * (fresh - keep);
}
