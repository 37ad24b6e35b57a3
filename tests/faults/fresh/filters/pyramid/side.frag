#version 330
uniform sampler2D up;
uniform int w;
out vec4 c;
void main() {
  ivec2 g = ivec2(gl_FragCoord.xy);
  vec4 m = texelFetch(up, g, 0);
  vec4 l = g.x > 0 ? texelFetch(up, g - ivec2(1, 0), 0) : vec4(0.0);
  vec4 r = g.x < w - 1 ? texelFetch(up, g + ivec2(1, 0), 0) : vec4(0.0);
  vec4 s = vec4(0.1727, 0.074, -0.08317, 0.20981);
  s.xy += mat2(0.18366, -0.17114, -0.16976, 0.19361) * l.xy;
  s.xy += mat2(-0.26107, -0.05969, 0.25001, 0.36372) * m.xy;
  s.xy += mat2(-0.12882, -0.19252, -0.10965, 0.17238) * r.xy;
  s.zw += mat2(-0.10638, -0.40045, -0.88204, 0.09123) * l.zw;
  s.zw += mat2(-1.40249, -0.03139, -0.02446, -0.67291) * m.zw;
  s.zw += mat2(0.35061, 0.55131, -0.51928, -0.56184) * r.zw;
  c = s;
}
