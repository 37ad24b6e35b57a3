#version 330
uniform sampler2D tokens;
uniform sampler2D mean;
out float variance;
void main() {
    int row = int(gl_FragCoord.y);
    int length = textureSize(tokens, 0).x;
    float centre = texelFetch(mean, ivec2(0, row), 0).x;
    float sum = 0.0;
    for (int i = 0; i < length; i++) {
        float away = texelFetch(tokens, ivec2(i, row), 0).x - centre;
        sum += away * away;
    }
    variance = sum / float(length);
}
