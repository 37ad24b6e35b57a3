#version 330 core
// Y = X, texel by texel.

uniform sampler2D t_now;
out vec4 Y;

void main() {
    Y = texelFetch(t_now, ivec2(gl_FragCoord.xy), 0);
}
