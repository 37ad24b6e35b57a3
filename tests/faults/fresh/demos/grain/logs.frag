#version 330
#include "common.glsl"
// light without its paint, in stops
uniform sampler2D noisy, albedo;
out vec4 o;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    o = log(1. + T(noisy,p) / (T(albedo,p) + .05));
}
