#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D x;
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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(16.0, 21.0));
  int index = resTexRC.x * 21 + resTexRC.y;
  int b = index / 336;
  index -= b * 336;
  int r = index / 42;
  index -= r * 42;
  int c = index / 6;
  index -= c * 6;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 624 + r * 39 + c * 3 + d;
  vec2 uv = uvFromFlat(48, 13, index);
  return sampleTexture(x, uv);
}

float getW(int b, int r, int c, int d) {
  int index = b * 54 + r * 18 + c * 6 + d;
  vec2 uv = uvFromFlat(27, 6, index);
  return sampleTexture(W, uv);
}

float getBias(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(6.0, 1.0);
  return sampleTexture(bias, uv);
}

float getBiasAtOutCoords() {
  ivec4 coords = getOutputCoords();
  return getBias(coords.w);
}

const ivec2 strides = ivec2(2, 2);
const ivec2 pads = ivec2(0, 1);

float activation(float x) {
  return min(max(x, 0.0), 6.0);
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int d2 = coords[3];

  ivec2 xRCCorner = ivec2(coords[1], coords[2]) * strides - pads;
  int xRCorner = xRCCorner.x;
  int xCCorner = xRCCorner.y;

  // Convolve x(?, ?, d1) with w(:, :, d1, d2) to get y(yR, yC, d2).
  float dotProd = 0.0;
  for (int wR = 0; wR < 3; wR++) {
    int xR = xRCorner + wR;
    if (xR < 0 || xR >= 16) {
      continue;
    }
    for (int wC = 0; wC < 3; wC++) {
      int xC = xCCorner + wC;
      if (xC < 0 || xC >= 13) {
        continue;
      }
      vec3 xValues = vec3(
        getX(batch, xR, xC, 0),
        getX(batch, xR, xC, 1),
        getX(batch, xR, xC, 2)
      );
      vec3 wValues = vec3(
        getW(wR, wC, 0, d2),
        getW(wR, wC, 1, d2),
        getW(wR, wC, 2, d2)
      );
      dotProd += dot(xValues, wValues);
    }
  }

  float result = dotProd;
  result = result + getBiasAtOutCoords();
  result = activation(result);
  setOutput(result);
}
