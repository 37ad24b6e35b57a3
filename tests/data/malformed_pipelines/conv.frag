#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_image;
uniform sampler2D u_filter;
uniform vec2 u_size;
uniform int u_taps;
uniform float u_scale[2];

out vec4 result;

void main() {
    result = texture(u_image, gl_FragCoord.xy / u_size) * texture(u_filter, vec2(0.5)) * u_scale[0];
    result += float(u_taps);
}
