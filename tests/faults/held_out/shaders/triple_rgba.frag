#version 300 es
// Three times as wide and high, four channels at once: a texel is repeated.
precision highp float;
precision highp sampler2D;

uniform sampler2D picture;

const vec2 texels = vec2(10.0, 4.0);

out vec4 repeated;

void main() {
    vec2 uv = gl_FragCoord.xy / 3.0 / texels;
    repeated = texture(picture, uv);
}
