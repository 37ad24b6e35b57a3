#version 330
// Mean and deviation of the window of four by two
in vec2 pos;
uniform sampler2D LUMA;
uniform vec2 LUMA_pt;
out vec4 stats;
void main() {
    float sum = 0.0, squares = 0.0;
    for (int y = 0; y < 2; y++) {
        for (int x = -1; x < 3; x++) {
            float value = texture(LUMA, pos + vec2(x, y) * LUMA_pt).x;
            sum += value;
            squares += value * value;
        }
    }
    float mean = sum / 8.0;
    float variance = squares / 8.0 - mean * mean;
    stats = vec4(mean, sqrt(variance + 1e-3), 0.0, 0.0);
}
