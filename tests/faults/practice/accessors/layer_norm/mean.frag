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

ivec2 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(7.0, 1.0));
  return resTexRC;
}

float getX(int row, int col) {
  vec2 uv = (vec2(col, row) + halfCR) / vec2(26.0, 7.0);
  return sampleTexture(x, uv);
}

float meanOf(int row) {
  vec4 sums = vec4(0.0);
  for (int i = 0; i < 24; i += 4) {
    vec4 values = vec4(
      getX(row, i),
      getX(row, i + 1),
      getX(row, i + 2),
      getX(row, i + 3)
    );
    sums += values;
  }
  sums += vec4(getX(row, 24), getX(row, 25), 0.0, 0.0);
  return dot(sums, vec4(1.0)) / 26.0;
}

void main() {
  int row = getOutputCoords().x;
  setOutput(meanOf(row));
}
