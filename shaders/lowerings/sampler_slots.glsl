#version 330 core
// Uses each of eight samplers: afterwards the driver's state of them is always the same. Their sizes are enough for
// that, and compile in a quarter of the time that texels take.

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
    ivec2 size = textureSize(t_0, 0) + textureSize(t_1, 0) + textureSize(t_2, 0) + textureSize(t_3, 0);
    size += textureSize(t_4, 0) + textureSize(t_5, 0) + textureSize(t_6, 0) + textureSize(t_7, 0);
    Y = vec4(size, 0.0, 0.0);
}
