#version 330
#include "common.glsl"
// paint again, exposure, ACES after Narkowicz
uniform sampler2D c, albedo;
uniform float exposure;
out vec4 o;
vec3 aces(vec3 v) {
    return clamp(v*(2.51*v + .03) / (v*(2.43*v + .59) + .14), 0., 1.);
}
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec3 v = (exp(T(c,p).rgb) - 1.) * (T(albedo,p).rgb + .05);
    o = vec4(aces(exposure * v), 1);
}
