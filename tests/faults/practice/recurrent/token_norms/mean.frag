#version 330
uniform sampler2D tokens;
out float mean;
void main() {
    int row = int(gl_FragCoord.y);
    int length = textureSize(tokens, 0).x;
    float sum = 0.0;
    for (int i = 0; i < length; i++) sum += texelFetch(tokens, ivec2(i, row), 0).x;
    mean = sum / float(length);
}
