#version 330 core
// A picture made sharper: 3x3 convolution, bias, ReLU, the picture added. Accessors as a code generator writes them.

uniform sampler2D x;
uniform sampler2D W;
uniform sampler2D bias;
out vec4 outputColor;

const ivec2 size = ivec2(7, 6);

vec4 sampleTexture(sampler2D textureSampler, ivec2 at) {
  return texelFetch(textureSampler, at, 0);
}

float getX(int c, int row, int column) {
  ivec2 at = ivec2(column, row);
  return sampleTexture(x, at)[c];
}

float getW(int o, int i, int row, int column) {
  ivec2 tile = ivec2(o % 2 * 2 + i % 2, o / 2 * 2 + i / 2);
  return sampleTexture(W, tile * 3 + ivec2(column, row)).r;
}

float getBias(int o) {
  return sampleTexture(bias, ivec2(o, 0)).r;
}

void setOutput(vec4 value) {
  outputColor = value;
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec4 result = vec4(0.0);
  for (int o = 0; o < 3; o++) {
    float dotProd = 0.0;
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 3; column++) {
        ivec2 tap = pixel + ivec2(column, row) - 1;
        if (tap.x < 0 || tap.y < 0 || tap.x >= size.x || tap.y >= size.y) continue;
        for (int i = 0; i < 3; i++) {
          float xVal = getX(i, tap.y, tap.x);
          dotProd += xVal * getW(o, i, row, column);
        }
      }
    }
    float value = max(dotProd + getBias(o), 0.0);
    result[o] = value + getX(o, pixel.y, pixel.x);
  }
  setOutput(result);
}
