#version 330
#include "common.glsl"
// a kernel for every pixel: 9 taps, softmax. Tap n is lane n%4 of tile n/4.
uniform sampler2D c; // rgb
uniform sampler2D g; // 5 channels in 2 tiles
uniform sampler2D w; // 3x3, rows (n*3 + channel)*3 + y
uniform sampler2D v; // 5 x 9
uniform sampler2D b;
out vec4 o;

float logit(int n, ivec2 p) {
    float a = T(b, ivec2(n,0)).r;
    vec4 g0 = T(g,p);
    float g1 = T(g, p + ivec2(SZ.x,0)).r;
    a += T(v,ivec2(0,n)).r*g0.x + T(v,ivec2(1,n)).r*g0.y + T(v,ivec2(2,n)).r*g0.z + T(v,ivec2(3,n)).r*g0.w;
    a += T(v,ivec2(4,n)).r*g1;
    for (int y = 0; y < 3; y++)
    for (int x = 0; x < 3; x++) {
        ivec2 q = p + ivec2(x,y) - 1;
        if (!IN(q)) continue;
        vec3 s = T(c,q).rgb;
        a += s.r*T(w,ivec2(x,n*9+y)).r + s.g*T(w,ivec2(x,n*9+3+y)).r + s.b*T(w,ivec2(x,n*9+6+y)).r;
    }
    return a;
}

void main() {
    ivec2 f = ivec2(gl_FragCoord.xy), t = f/SZ, p = f - t*SZ;
    float l[9], m = -1e9, z = 0.;
    for (int n = 0; n < 9; n++) { l[n] = logit(n, p); m = max(m, l[n]); }
    for (int n = 0; n < 9; n++) { l[n] = exp(l[n] - m); z += l[n]; }
    int n = 4*(t.y*2 + t.x);
    o = vec4(0);
    for (int i = 0; i < 4; i++) if (n + i < 9) o[i] = l[n + i] / z;
}
