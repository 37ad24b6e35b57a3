#version 330 core
// a − b at interpolated coordinates.

uniform sampler2D left;
uniform sampler2D right;

in vec2 place;
out float difference;

void main() {
    float a = texture(left, place).r;
    float b = texture(right, place).r;
    difference = a - b;
}
