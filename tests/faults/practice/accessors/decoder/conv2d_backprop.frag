#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D dy;
uniform sampler2D W;
uniform sampler2D bias;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(96.0, 60.0));
  int index = resTexRC.x * 60 + resTexRC.y;
  int b = index / 5760;
  index -= b * 5760;
  int r = index / 144;
  index -= r * 144;
  int c = index / 3;
  index -= c * 3;
  return ivec4(b, r, c, index);
}

float getDy(int b, int r, int c, int d) {
  int index = b * 960 + r * 48 + c * 2 + d;
  vec2 uv = uvFromFlat(480, 2, index);
  return sampleTexture(dy, uv);
}

float getW(int b, int r, int c, int d) {
  int index = b * 24 + r * 6 + c * 2 + d;
  vec2 uv = uvFromFlat(48, 2, index);
  return sampleTexture(W, uv);
}

float getBias(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(3.0, 1.0);
  return sampleTexture(bias, uv);
}

const ivec2 pads = ivec2(2, 2);

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int d1 = coords[3];

  ivec2 dyCorner = ivec2(coords[1], coords[2]) - pads;
  int dyRCorner = dyCorner.x;
  int dyCCorner = dyCorner.y;

  float dotProd = 0.0;
  for (int wR = 0; wR < 4; wR++) {
    float dyR = float(dyRCorner + wR) / 2.0;
    if (dyR < 0.0 || dyR >= 20.0 || fract(dyR) > 0.0) {
      continue;
    }
    int idyR = int(dyR);
    int wRPerm = 4 - 1 - wR;

    for (int wC = 0; wC < 4; wC++) {
      float dyC = float(dyCCorner + wC) / 2.0;
      if (dyC < 0.0 || dyC >= 24.0 || fract(dyC) > 0.0) {
        continue;
      }
      int idyC = int(dyC);
      int wCPerm = 4 - 1 - wC;

      for (int d2 = 0; d2 < 2; d2++) {
        float xValue = getDy(batch, idyR, idyC, d2);
        float wValue = getW(wRPerm, wCPerm, d1, d2);
        dotProd += xValue * wValue;
      }
    }
  }

  float result = dotProd + getBias(d1);
  setOutput(1.0 / (1.0 + exp(-1.0 * result)));
}
