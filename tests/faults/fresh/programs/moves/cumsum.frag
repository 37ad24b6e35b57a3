#version 300 es
#include "flat.glsl"
// Cumsum along axis 2, exclusive, reverse.
uniform sampler2D A;
uniform ivec4 oS;
void main() {
  ivec4 p = coords(here(), oS);
  float val = 0.;
  for (int k = p.z + 1; k < oS.z; k++) val += at(A, flatten(ivec4(p.xy, k, p.w), oS));
  o.r = val;
}
