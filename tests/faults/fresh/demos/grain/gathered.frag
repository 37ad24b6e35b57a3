#version 330
#include "common.glsl"
// applies them, unrolled
uniform sampler2D c, k;
out vec4 o;
#define C(x,y) T(c, EDGE(p + ivec2(x,y))).rgb
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec4 a = T(k,p), b = T(k,p+ivec2(SZ.x,0)), e = T(k,p+ivec2(0,SZ.y));
    vec3 s = a.x*C(-1,-1) + a.y*C(0,-1) + a.z*C(1,-1);
    s += a.w*C(-1,0) + b.x*C(0,0) + b.y*C(1,0);
    s += b.z*C(-1,1) + b.w*C(0,1) + e.x*C(1,1);
    o = vec4(s, 1);
}
