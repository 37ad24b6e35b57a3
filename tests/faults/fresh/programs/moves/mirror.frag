#version 300 es
#include "flat.glsl"
// MirrorPad, reflect: the border itself is not repeated.
uniform sampler2D A;
uniform ivec4 aS, oS;
uniform ivec2 before;
void main() {
  ivec4 p = coords(here(), oS);
  ivec2 q = p.zw - before, last = aS.zw - 1;
  if (q.x < 0) q.x = -q.x; else if (q.x > last.x) q.x = 2 * last.x - q.x;
  if (q.y < 0) q.y = -q.y; else if (q.y > last.y) q.y = 2 * last.y - q.y;
  o.r = at(A, flatten(ivec4(p.xy, q), aS));
}
