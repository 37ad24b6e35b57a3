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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(10.0, 15.0));
  int index = resTexRC.x * 15 + resTexRC.y;
  int b = index / 150;
  index -= b * 150;
  int r = index / 30;
  index -= r * 30;
  int c = index / 5;
  index -= c * 5;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 540 + r * 60 + c * 5 + d;
  vec2 uv = uvFromFlat(108, 5, index);
  return sampleTexture(x, uv);
}

const ivec2 strides = ivec2(2, 2);
const ivec2 pads = ivec2(1, 0);

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int d = coords[3];

  ivec2 xRCCorner = coords.yz * strides - pads;
  int xRCorner = xRCCorner.x;
  int xCCorner = xRCCorner.y;

  // The largest of x(?, ?, d), without what lies outside.
  float minMaxValue = -3.4e38;
  for (int wR = 0; wR < 2; wR++) {
    int xR = xRCorner + wR;
    if (xR < 0 || xR >= 9) {
      continue;
    }
    for (int wC = 0; wC < 2; wC++) {
      int xC = xCCorner + wC;
      if (xC < 0 || xC >= 12) {
        continue;
      }
      minMaxValue = max(minMaxValue, getX(batch, xR, xC, d));
    }
  }
  setOutput(minMaxValue);
}
