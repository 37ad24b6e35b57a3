// Matrices four numbers a texel. A head is four wide: head h of token t is texel (h, t) where rows are 12 long.
#define TEXEL(tex, x, y) texelFetch(tex, ivec2((x), (y)), 0)
#define FLAT4(tex, width, i) texelFetch(tex, ivec2((i) % (width), (i) / (width)), 0)
#define NUMBER(tex, width, e) FLAT4(tex, width, (e) / 4)[(e) % 4]
#define HEADS 3
#define MODEL 12
#define HERE ivec2(gl_FragCoord.xy)
