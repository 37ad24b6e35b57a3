#version 300 es
#include "flat.glsl"
// Concat along channels.
uniform sampler2D A, B;
uniform ivec4 aS, bS, oS;
void main() {
  ivec4 p = coords(here(), oS);
  if (p.y < aS.y) { o.r = at(A, flatten(p, aS)); return; }
  p.y -= aS.y;
  o.r = at(B, flatten(p, bS));
}
