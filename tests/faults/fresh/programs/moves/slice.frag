#version 300 es
#include "flat.glsl"
// StridedSlice of the last two axes.
uniform sampler2D A;
uniform ivec4 aS, oS;
uniform ivec2 begin, step_;
void main() {
  ivec4 p = coords(here(), oS);
  o.r = at(A, flatten(ivec4(p.xy, begin + p.zw * step_), aS));
}
