#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);

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

uniform sampler2D x;

float getX(int row, int col, int depth, int depth2) {
  int index = row * 100 + col * 20 + depth * 5 + depth2;
  vec2 uv = uvFromFlat(10, 10, index);
  return sampleTexture(x, uv);
}

ivec4 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(5, 6));
  int index = resTexRC.x * 6 + resTexRC.y;
  int r = index / 30;
  index -= r * 30;
  int c = index / 10;
  index -= c * 10;
  int d = index / 5;
  int d2 = index - d * 5;
  return ivec4(r, c, d, d2);
}

const ivec2 strides = ivec2(2, 2);
const ivec2 pads = ivec2(1, 1);
float count = 0.0;

float getValue(int batch, int xR, int xC, int d) {
  if (xC < 0 || xC >= 4) {
    return 0.0;
  }
  count += 1.0;
  return getX(batch, xR, xC, d);
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int d = coords[3];

  ivec2 xRCCorner = coords.yz * strides - pads;
  int xRCorner = xRCCorner.x;
  int xCCorner = xRCCorner.y;

  float avgValue = 0.0;
  count = 0.0;

  for (int wR = 0; wR < 3; wR += 1) {
    int xR = xRCorner + wR;

    if (xR < 0 || xR >= 5) {
      continue;
    }

    vec3 values = vec3(
      getValue(batch, xR, xCCorner, d),
      getValue(batch, xR, xCCorner + 1, d),
      getValue(batch, xR, xCCorner + 2, d)
    );
    avgValue += dot(values, vec3(1.0));
  }
  setOutput(avgValue / count);
}
