#version 330
#include "common.glsl"
// 3x3 with holes, edge stopping by normals (g.xyz) and depth (g.w)
uniform sampler2D c, g;
uniform float sn, sz;
out vec4 o;
#define STEP 2
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec4 gp = T(g,p);
    vec3 sum = vec3(0);
    float wsum = 0.;
    for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) {
        ivec2 q = p + STEP*ivec2(x,y);
        if (!IN(q)) continue;
        vec4 gq = T(g,q);
        vec3 dn = gq.xyz - gp.xyz;
        float dz = abs(gq.w - gp.w);
        float gauss = float((2 - abs(x)) * (2 - abs(y))) / 16.;
        float w = gauss * exp(-dot(dn,dn)/sn - dz/sz);
        sum += w * T(c,q).rgb;
        wsum += w;
    }
    o = vec4(sum / wsum, 1);
}
