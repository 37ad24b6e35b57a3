#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D A;

float sampleTexture(sampler2D textureSampler, vec2 uv) {
  return texture(textureSampler, uv).r;
}

void setOutput(float val) {
  outputColor = vec4(val, 0, 0, 0);
}

vec2 uvFromFlat(int texNumR, int texNumC, int index) {
  int texR = index / texNumC;
  int texC = index - texR * texNumC;
  return (vec2(texC, texR) + halfCR) / vec2(texNumC, texNumR);
}

ivec4 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(30.0, 20.0));
  int index = resTexRC.x * 20 + resTexRC.y;
  int b = index / 600;
  index -= b * 600;
  int r = index / 60;
  index -= r * 60;
  int c = index / 5;
  index -= c * 5;
  return ivec4(b, r, c, index);
}

float getA(int b, int r, int c, int d) {
  int index = b * 150 + r * 30 + c * 5 + d;
  vec2 uv = uvFromFlat(30, 5, index);
  return sampleTexture(A, uv);
}

const vec2 effectiveInputOverOutputRatioRC = vec2(0.5, 0.5);
const vec2 inputShapeRC = vec2(5.0, 6.0);

void main() {
  ivec4 coords = getOutputCoords();
  int b = coords[0];
  int d = coords[3];
  ivec2 yRC = coords.yz;

  // Fractional source index, of centres.
  vec2 sourceFracIndexRC = (vec2(yRC) + vec2(0.5)) * effectiveInputOverOutputRatioRC - vec2(0.5);

  // The four integer indices around it.
  ivec2 sourceFloorRC = ivec2(max(sourceFracIndexRC, vec2(0.0)));
  ivec2 sourceCeilRC = ivec2(min(inputShapeRC - 1.0, ceil(sourceFracIndexRC)));

  float topLeft = getA(b, sourceFloorRC.x, sourceFloorRC.y, d);
  float bottomLeft = getA(b, sourceCeilRC.x, sourceFloorRC.y, d);
  float topRight = getA(b, sourceFloorRC.x, sourceCeilRC.y, d);
  float bottomRight = getA(b, sourceCeilRC.x, sourceCeilRC.y, d);

  vec2 fracRC = sourceFracIndexRC - vec2(sourceFloorRC);

  float top = topLeft + (topRight - topLeft) * fracRC.y;
  float bottom = bottomLeft + (bottomRight - bottomLeft) * fracRC.y;
  float newValue = top + (bottom - top) * fracRC.x;

  setOutput(newValue);
}
