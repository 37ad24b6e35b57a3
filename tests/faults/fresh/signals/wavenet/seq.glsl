// [C, T] folded: element c * T + t is texel (i % 16, i / 16)
#define FOLD 16
float at(sampler2D s, int i) { return texelFetch(s, ivec2(i % FOLD, i / FOLD), 0).r; }
int me() { ivec2 p = ivec2(gl_FragCoord.xy); return p.y * FOLD + p.x; }
