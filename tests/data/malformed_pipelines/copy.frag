#version 330 core
uniform sampler2D t_X;
out vec4 Y;

void main() {
    Y = texelFetch(t_X, ivec2(gl_FragCoord.xy), 0);
}
