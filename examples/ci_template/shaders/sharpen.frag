#version 300 es
precision highp float;
precision highp sampler2D;
// y = x + u_amount * (x - blurred)

uniform sampler2D t_image;
uniform sampler2D t_blurred;
uniform float u_amount;

out vec4 y;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 x = texelFetch(t_image, texel, 0);
    vec4 blurred = texelFetch(t_blurred, texel, 0);
    y = x + u_amount * (x - blurred);
}
