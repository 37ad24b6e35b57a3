#version 300 es
#include "flat.glsl"
// Transpose, perm 0, 2, 3, 1.
uniform sampler2D A;
uniform ivec4 aS, oS;
void main() {
  ivec4 p = coords(here(), oS);
  o.r = at(A, flatten(p.xwyz, aS));
}
