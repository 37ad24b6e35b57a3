// Channels 4t .. 4t+3 are tile t, two tiles to a row of tiles, W x H texels each.
#define SIZE ivec2(W, H)
#define COLS 2
#define ORIGIN(t) (ivec2((t) % COLS, (t) / COLS) * SIZE)
#define FETCH(tex, t, p) texelFetch(tex, ORIGIN(t) + (p), 0)
#define CH(tex, c, p) FETCH(tex, (c) >> 2, p)[(c) & 3]
#define HERE() ivec2 at = ivec2(gl_FragCoord.xy); ivec2 cell = at / SIZE; ivec2 p = at - cell * SIZE; int t = cell.y * COLS + cell.x
#define SUM(v) dot(v, vec4(1.0))
