#version 300 es
// Bilinear enlargement by two whose first pixels coincide, one value a texel.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;

const ivec2 inSize = ivec2(4, 5);    // height, width
const ivec2 outSize = ivec2(8, 10);

out float outputValue;

float getX(int channel, int row, int col) {
  return texelFetch(x, ivec2(col, channel * inSize.x + row), 0).r;
}

void main() {
  int row = int(gl_FragCoord.y);
  int channel = row / outSize.x;
  vec2 rc = vec2(row % outSize.x, int(gl_FragCoord.x));
  vec2 sourceRC = rc * 0.5;
  ivec2 floorRC = ivec2(max(sourceRC, vec2(0.0)));
  ivec2 ceilRC = min(floorRC + 1, inSize - 1);
  vec2 fracRC = sourceRC - vec2(floorRC);

  float topLeft = getX(channel, floorRC.x, floorRC.y);
  float bottomLeft = getX(channel, ceilRC.x, floorRC.y);
  float topRight = getX(channel, floorRC.x, ceilRC.y);
  float bottomRight = getX(channel, ceilRC.x, ceilRC.y);
  float top = topLeft + (topRight - topLeft) * fracRC.y;
  float bottom = bottomLeft + (bottomRight - bottomLeft) * fracRC.y;
  outputValue = top + (bottom - top) * fracRC.x;
}
