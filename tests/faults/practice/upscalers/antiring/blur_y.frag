#version 330
in vec2 pos;
uniform sampler2D BLUR_X;
uniform vec2 BLUR_X_pt;
out vec4 color;
vec4 row(float y) {
    return texture(BLUR_X, pos + vec2(0.0, y) * BLUR_X_pt);
}
void main() {
    color = 0.3876 * row(0.0);
    color += 0.2448 * (row(-1.0) + row(1.0));
    color += 0.0614 * (row(-2.0) + row(2.0));
}
