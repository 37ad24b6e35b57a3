precision highp float;
precision highp int;
precision highp sampler2D;
out vec4 o;
// All textures are TW texels wide, a tensor's values run on from row to row. Coordinates are n, c, h, w.
int here() { return int(gl_FragCoord.y) * TW + int(gl_FragCoord.x); }
float at(sampler2D t, int i) { return texelFetch(t, ivec2(i % TW, i / TW), 0).r; }
ivec4 coords(int i, ivec4 s) { return ivec4(i / (s.w * s.z * s.y), i / (s.w * s.z) % s.y, i / s.w % s.z, i % s.w); }
int flatten(ivec4 p, ivec4 s) { return ((p.x * s.y + p.y) * s.z + p.z) * s.w + p.w; }
