#version 300 es
precision highp float;
precision highp sampler2D;

in vec2 st;
uniform sampler2D uImage, uKernel, uBias;
uniform vec2 uImageTiles;
out float value;

void main() {
    float channel = step(0.5, st.x);
    vec2 within = vec2(fract(st.x * 2.0), st.y) / uImageTiles;
    vec2 stepX = vec2(1.0 / uImageTiles.x, 0.0), stepY = vec2(0.0, 1.0 / uImageTiles.y);

    float x0 = textureLod(uImage, within, 0.0).r;
    float x1 = textureLod(uImage, within + stepX, 0.0).r;
    float x2 = textureLod(uImage, within + 2.0 * stepX, 0.0).r;
    float x3 = textureLod(uImage, within + stepY, 0.0).r;
    float x4 = textureLod(uImage, within + stepY + stepX, 0.0).r;

    // Two filters of 3 x 2 places
    vec2 w = vec2((channel * 3.0 + 0.5) / 6.0, 0.25);
    value = x0 * textureLod(uKernel, w, 0.0).r
          + x1 * textureLod(uKernel, w + vec2(1.0 / 6.0, 0.0), 0.0).r
          + x2 * textureLod(uKernel, w + vec2(2.0 / 6.0, 0.0), 0.0).r
          + x3 * textureLod(uKernel, w + vec2(0.0, 0.5), 0.0).r
          + x4 * textureLod(uKernel, w + vec2(1.0 / 6.0, 0.5), 0.0).r
          + textureLod(uBias, vec2(0.25 + 0.5 * channel, 0.5), 0.0).r;
}
