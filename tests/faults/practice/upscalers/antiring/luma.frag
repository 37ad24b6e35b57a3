#version 330
in vec2 pos;
uniform sampler2D HELD;
out float luma;
const vec3 BT709 = vec3(0.2126, 0.7152, 0.0722);
void main() {
    luma = dot(texture(HELD, pos).rgb, BT709);
}
