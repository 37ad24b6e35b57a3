#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_picture;

in vec2 v_uv;
out vec4 color;

const float SLOPE = 0.3;

void main() {
    vec4 x = texture(u_picture, v_uv);
    color = mix(x * SLOPE, x, step(vec4(0.0), x));
}
