// Exported by the asset pipeline.

/* Do not edit. */

#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D u_image;
out vec4 result;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    result = texelFetch(u_image, p, 0).wzyx;
}
