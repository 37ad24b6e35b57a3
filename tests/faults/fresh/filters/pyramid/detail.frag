#version 330
uniform sampler2D down;
uniform ivec2 size;
out vec4 c;
void main() {
  ivec2 g = ivec2(gl_FragCoord.xy);
  int x0 = g.x / size.x * size.x;
  vec4 s = vec4(0.0);
  float n = 0.0;
  for (int y = max(g.y - 1, 0); y <= min(g.y + 1, size.y - 1); y++)
  for (int x = max(g.x - 1, x0); x <= min(g.x + 1, x0 + size.x - 1); x++) {
    s += texelFetch(down, ivec2(x, y), 0);
    n += 1.0;
  }
  c = texelFetch(down, g, 0) - s / n;
}
