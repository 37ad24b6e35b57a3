// Flat tensors, four elements a texel.
#define T 17
#define D 10
#define N 5
#define TEXEL(t, q) texelFetch(t, ivec2((q) % textureSize(t, 0).x, (q) / textureSize(t, 0).x), 0)
#define GET(t, i) TEXEL(t, (i) >> 2)[(i) & 3]
#define FIRST (4 * (int(gl_FragCoord.y) * outWidth + int(gl_FragCoord.x)))
#define EACH_LANE(body) for (int l = 0; l < 4; ++l) { int e = FIRST + l; if (e < COUNT) { body } }
#define SIGMOID(v) (1.0 / (1.0 + exp(-(v))))
uniform int outWidth;
out vec4 fragOut;
