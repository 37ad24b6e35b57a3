#version 330
in vec2 pos;
uniform sampler2D MAIN;
uniform vec2 MAIN_pt;
out vec4 color;
const float KERNEL[5] = float[5](0.0614, 0.2448, 0.3876, 0.2448, 0.0614);
void main() {
    vec4 sum = vec4(0.0);
    for (int k = 0; k < 5; k++) {
        sum += KERNEL[k] * texture(MAIN, pos + vec2(float(k - 2), 0.0) * MAIN_pt);
    }
    color = sum;
}
