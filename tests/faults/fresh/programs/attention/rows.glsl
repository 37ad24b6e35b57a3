// Vectors lie flat, four values a texel, texel t at (t % WIDTH, t / WIDTH).
precision highp float;
precision highp int;
precision highp sampler2D;

#define FETCH(T, t, width) texelFetch(T, ivec2((t) % (width), (t) / (width)), 0)
#define OUT_TEXEL(width) (int(gl_FragCoord.y) * (width) + int(gl_FragCoord.x))
#define FOR4(k) for (int k = 0; k < 4; ++k)

#define TOKENS 7
#define HEADS 3
#define HEAD_VEC4 2
#define MODEL_VEC4 (HEADS * HEAD_VEC4)

out vec4 result;
