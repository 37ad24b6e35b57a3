#version 300 es
precision highp float;
precision highp sampler2D;
// y[h, w] = (x[h - d, w - e] + 2 * x[h, w] + x[h + d, w + e]) / 4, with (e, d) = u_step and the edges repeated

uniform sampler2D t_image;
uniform ivec2 u_step;

out vec4 y;

vec4 image(ivec2 at) {
    return texelFetch(t_image, clamp(at, ivec2(0), textureSize(t_image, 0) - 1), 0);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    y = 0.25 * (image(texel - u_step) + 2.0 * image(texel) + image(texel + u_step));
}
