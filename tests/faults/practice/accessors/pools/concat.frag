#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D T0;
uniform sampler2D T1;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(30.0, 10.0));
  int index = resTexRC.x * 10 + resTexRC.y;
  int b = index / 300;
  index -= b * 300;
  int r = index / 60;
  index -= r * 60;
  int c = index / 10;
  index -= c * 10;
  return ivec4(b, r, c, index);
}

float getT0(int b, int r, int c, int d) {
  int index = b * 150 + r * 30 + c * 5 + d;
  vec2 uv = uvFromFlat(5, 30, index);
  return sampleTexture(T0, uv);
}

float getT1(int b, int r, int c, int d) {
  int index = b * 150 + r * 30 + c * 5 + d;
  vec2 uv = uvFromFlat(30, 5, index);
  return sampleTexture(T1, uv);
}

void main() {
  ivec4 coords = getOutputCoords();
  int b = coords.x;
  int r = coords.y;
  int c = coords.z;
  int d = coords.w;
  if (d < 5) {
    setOutput(getT0(b, r, c, d));
  } else {
    setOutput(getT1(b, r, c, d - 5));
  }
}
