#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D t_in;
in vec2 v_uv;
out vec4 o_value;

void main() {
  float x = texture(t_in, v_uv).x;
  // elu(x) + 1
  o_value.x = x > 0. ? x + 1. : exp(x);
}
