#version 330
// The length of the Sobel gradient
in vec2 pos;
uniform sampler2D LUMA;
uniform vec2 LUMA_pt;
out float edge;
float at(float x, float y) {
    return texture(LUMA, pos + vec2(x, y) * LUMA_pt).r;
}
void main() {
    float left = at(-1.0, -1.0) + 2.0 * at(-1.0, 0.0) + at(-1.0, 1.0);
    float right = at(1.0, -1.0) + 2.0 * at(1.0, 0.0) + at(1.0, 1.0);
    float top = at(-1.0, -1.0) + 2.0 * at(0.0, -1.0) + at(1.0, -1.0);
    float bottom = at(-1.0, 1.0) + 2.0 * at(0.0, 1.0) + at(1.0, 1.0);
    vec2 gradient = vec2(right - left, bottom - top) / 8.0;
    edge = sqrt(gradient.x * gradient.x + gradient.y * gradient.y);
}
