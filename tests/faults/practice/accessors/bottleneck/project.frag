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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(24.0, 14.0));
  int index = resTexRC.x * 14 + resTexRC.y;
  int b = index / 336;
  index -= b * 336;
  int r = index / 42;
  index -= r * 42;
  int c = index / 6;
  index -= c * 6;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 336 + r * 42 + c * 6 + d;
  vec2 uv = uvFromFlat(16, 21, index);
  return sampleTexture(x, uv);
}

float getW(int b, int r, int c, int d) {
  int index = b * 36 + r * 36 + c * 6 + d;
  vec2 uv = uvFromFlat(6, 6, index);
  return sampleTexture(W, uv);
}

float getBias(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(6.0, 1.0);
  return sampleTexture(bias, uv);
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int r = coords[1];
  int c = coords[2];
  int d2 = coords[3];

  float dotProd = 0.0;
  for (int d1 = 0; d1 < 4; d1 += 4) {
    vec4 xValues = vec4(
      getX(batch, r, c, d1),
      getX(batch, r, c, d1 + 1),
      getX(batch, r, c, d1 + 2),
      getX(batch, r, c, d1 + 3)
    );
    vec4 wValues = vec4(
      getW(0, 0, d1, d2),
      getW(0, 0, d1 + 1, d2),
      getW(0, 0, d1 + 2, d2),
      getW(0, 0, d1 + 3, d2)
    );
    dotProd += dot(xValues, wValues);
  }
  vec2 xRest = vec2(getX(batch, r, c, 4), getX(batch, r, c, 5));
  vec2 wRest = vec2(getW(0, 0, 4, d2), getW(0, 0, 5, d2));
  dotProd += dot(xRest, wRest);

  setOutput(dotProd + getBias(d2));
}
