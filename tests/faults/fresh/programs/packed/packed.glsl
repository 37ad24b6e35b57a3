precision highp float;
precision highp int;
precision highp sampler2D;

out vec4 outputColor;

void setOutput(vec4 val) {
  outputColor = val;
}

// Row and column of the upper left of the four values that this fragment holds.
ivec2 getOutputCoords() {
  return ivec2(gl_FragCoord.yx) * 2;
}

vec4 getBlock(sampler2D tex, int row, int col) {
  return texelFetch(tex, ivec2(col >> 1, row >> 1), 0);
}

float getChannel(vec4 frag, ivec2 innerDims) {
  ivec2 modCoord = innerDims & 1;
  return modCoord.x == 0 ?
    (modCoord.y == 0 ? frag.r : frag.g) :
    (modCoord.y == 0 ? frag.b : frag.a);
}
