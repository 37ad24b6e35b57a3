#version 300 es
#include "flat.glsl"
// DepthToSpace: channels are block row, block column, then depth.
uniform sampler2D A;
uniform ivec4 aS, oS;
uniform int block;
void main() {
  ivec4 p = coords(here(), oS);
  ivec2 in_ = p.zw / block, off = p.zw - in_ * block;
  int d = (off.x * block + off.y) * oS.y + p.y;
  o.r = at(A, flatten(ivec4(p.x, d, in_), aS));
}
