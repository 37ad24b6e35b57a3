// Element i is lane i % 4 of texel i / 4, texels in rows as wide as the texture.
#define COLS(t) textureSize(t, 0).x
#define EL(t, i) texelFetch(t, ivec2(((i) >> 2) % COLS(t), ((i) >> 2) / COLS(t)), 0)[(i) & 3]
#define MAT(t, row, col, n) EL(t, (row) * (n) + (col))
#define FIRST (4 * (int(gl_FragCoord.y) * WIDTH + int(gl_FragCoord.x)))
#define FOR_LANES(i) for (int lane = 0, i = FIRST; lane < 4; ++lane, ++i)
#define PI 3.14159265358979
