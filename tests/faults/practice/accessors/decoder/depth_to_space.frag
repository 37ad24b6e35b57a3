#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D x;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(480.0, 2.0));
  int index = resTexRC.x * 2 + resTexRC.y;
  int b = index / 960;
  index -= b * 960;
  int r = index / 48;
  index -= r * 48;
  int c = index / 2;
  index -= c * 2;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 960 + r * 96 + c * 8 + d;
  vec2 uv = uvFromFlat(120, 8, index);
  return sampleTexture(x, uv);
}

int getHeightCoord(ivec4 coords) { return coords[1]; }
int getWidthCoord(ivec4 coords) { return coords[2]; }
int getDepthCoord(ivec4 coords) { return coords[3]; }
int getOutputDepthSize() { return 2; }

void main() {
  ivec4 coords = getOutputCoords();
  int b = coords[0];
  int h = getHeightCoord(coords);
  int w = getWidthCoord(coords);
  int d = getDepthCoord(coords);

  int in_h = h / 2;
  int offset_h = h - 2 * in_h;
  int in_w = w / 2;
  int offset_w = w - 2 * in_w;
  int offset_d = (offset_h * 2 + offset_w) * getOutputDepthSize();
  int in_d = d + offset_d;

  float result = getX(b, in_h, in_w, in_d);
  setOutput(result);
}
