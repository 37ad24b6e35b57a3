#version 330
#include "rgba.glsl"
uniform sampler2D g;
uniform int cols, T;
out vec4 o;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int group = p.y * cols + p.x;
    vec4 s = vec4(0.0);
    for (int t = 0; t < T; t++) s += load(g, group, cols, T, t);
    o = s / float(T);
}
