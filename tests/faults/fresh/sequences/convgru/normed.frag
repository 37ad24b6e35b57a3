#version 330
#include "packed.glsl"
uniform sampler2D tex_h;
uniform sampler2D tex_m;
uniform sampler2D tex_gamma;
uniform sampler2D tex_beta;
out vec4 outColor;

void main() {
    ivec2 frag = ivec2(gl_FragCoord.xy);
    int group = frag.x / WID;
    float mean = texelFetch(tex_m, ivec2(0, group), 0).r;
    float rstd = texelFetch(tex_m, ivec2(1, group), 0).r;
    vec4 value = (texelFetch(tex_h, frag, 0) - mean) * rstd;
    outColor = value * row4(tex_gamma, group) + row4(tex_beta, group);
}
