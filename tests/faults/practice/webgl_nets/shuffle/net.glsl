// What all layers share. A tensor is a column of rows: channel c, row y is row c * HEIGHT + y of the texture.

#define C_X 8
#define H_X 7
#define W_X 11
#define C_MID 12
#define H_LOW 4
#define W_LOW 6
#define C_LOW 8
#define GROUPS 2

#define FETCH(tex, c, y, x, height) texelFetch(tex, ivec2((x), (c) * (height) + (y)), 0).r
#define VEC(tex, i) texelFetch(tex, ivec2((i), 0), 0).r
#define ROW(height) (int(gl_FragCoord.y) % (height))
#define CHANNEL(height) (int(gl_FragCoord.y) / (height))
#define COLUMN int(gl_FragCoord.x)
#define OUTSIDE(i, n) ((i) < 0 || (i) >= (n))
