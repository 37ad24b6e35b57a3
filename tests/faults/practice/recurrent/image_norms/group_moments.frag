#version 330
// Of each group of channels the mean, and one over the deviation: a row a group, the second picture's below the first's
uniform sampler2D x;
uniform int columns;
uniform int channels;
uniform ivec2 size;
uniform float epsilon;
layout(location = 0) out float mean;
layout(location = 1) out float inverse;
const int MEMBERS = 2;
void main() {
    int group = int(gl_FragCoord.y) % 3;
    int picture = int(gl_FragCoord.y) / 3;
    float sum = 0.0, squares = 0.0;
    for (int member = 0; member < MEMBERS; member++) {
        int k = picture * channels + group * MEMBERS + member;
        ivec2 corner = ivec2(k % columns, k / columns) * size;
        for (int p = 0; p < size.x * size.y; p++) {
            float value = texelFetch(x, corner + ivec2(p % size.x, p / size.x), 0).x;
            sum += value;
            squares += value * value;
        }
    }
    float count = float(MEMBERS * size.x * size.y);
    mean = sum / count;
    inverse = inversesqrt(squares / count - mean * mean + epsilon);
}
