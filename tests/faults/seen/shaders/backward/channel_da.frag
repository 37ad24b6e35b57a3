#version 300 es
// Gradient of an offset a channel that was added to images: summed over images, rows and columns.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
const int BATCH = 3, CHANNELS = 4, HEIGHT = 5, WIDTH = 6;

out float da;

void main() {
  int channel = int(gl_FragCoord.y);
  float sum = 0.0;
  for (int n = 0; n < BATCH; n++) {
    for (int row = 0; row < HEIGHT; row++) {
      for (int column = 0; column < WIDTH; column++) {
        sum += texelFetch(dy, ivec2(column, (n * CHANNELS + channel) * HEIGHT + row), 0).r;
      }
    }
  }
  da = sum;
}
