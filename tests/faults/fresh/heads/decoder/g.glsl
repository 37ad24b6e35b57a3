float g(sampler2D t, int c, int r) { return texelFetch(t, ivec2(c, r), 0).x; }
#define C int(gl_FragCoord.x)
#define R int(gl_FragCoord.y)
