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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(5.0, 30.0));
  int index = resTexRC.x * 30 + resTexRC.y;
  int b = index / 150;
  index -= b * 150;
  int r = index / 30;
  index -= r * 30;
  int c = index / 5;
  index -= c * 5;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 150 + r * 30 + c * 5 + d;
  vec2 uv = uvFromFlat(3, 50, index);
  return sampleTexture(x, uv);
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int d = coords[3];

  float avgValue = 0.0;
  float count = 0.0;
  for (int wR = 0; wR < 2; wR++) {
    int xR = coords[1] + wR;
    if (xR >= 5) {
      continue;
    }
    for (int wC = 0; wC < 2; wC++) {
      int xC = coords[2] + wC;
      if (xC >= 6) {
        continue;
      }
      avgValue += getX(batch, xR, xC, d);
      count += 1.0;
    }
  }
  setOutput(avgValue / count);
}
