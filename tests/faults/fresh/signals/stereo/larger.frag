#version 300 es
precision highp float;
precision highp sampler2D;
// Twice as large, and twice as far: the sampler goes between texels.

in vec2 uv;
uniform sampler2D disparity;
uniform float factor;
out float larger;

void main() {
    larger = factor * texture(disparity, uv).r;
}
