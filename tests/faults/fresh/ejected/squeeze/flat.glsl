#define TEXEL(t, i) texelFetch(t, ivec2((i) % textureSize(t, 0).x, (i) / textureSize(t, 0).x), 0)
#define AT(t, i) TEXEL(t, (i) / 4)[(i) % 4]
#define HERE (int(gl_FragCoord.y) * W_OUT + int(gl_FragCoord.x))
#define EACH_LANE for (int l = 0; l < 4; l++)
