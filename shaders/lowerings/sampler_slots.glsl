#version 330 core
// Reads a texel through each of eight samplers: afterwards the driver's state of them is always the same.

uniform sampler2D t_0;
uniform sampler2D t_1;
uniform sampler2D t_2;
uniform sampler2D t_3;
uniform sampler2D t_4;
uniform sampler2D t_5;
uniform sampler2D t_6;
uniform sampler2D t_7;

out vec4 Y;

void main() {
    ivec2 at = ivec2(0);
    Y = texelFetch(t_0, at, 0) + texelFetch(t_1, at, 0) + texelFetch(t_2, at, 0) + texelFetch(t_3, at, 0);
    Y += texelFetch(t_4, at, 0) + texelFetch(t_5, at, 0) + texelFetch(t_6, at, 0) + texelFetch(t_7, at, 0);
}
