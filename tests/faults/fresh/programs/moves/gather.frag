#version 300 es
#include "flat.glsl"
// GatherV2 along channels.
uniform sampler2D A;
uniform ivec4 aS, oS;
uniform int indices[5];
void main() {
  ivec4 p = coords(here(), oS);
  p.y = indices[p.y];
  o.r = at(A, flatten(p, aS));
}
