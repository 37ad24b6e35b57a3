#version 330
uniform sampler2D similar;
out float largest;
void main() {
    int row = int(gl_FragCoord.y);
    int width = textureSize(similar, 0).x;
    largest = texelFetch(similar, ivec2(0, row), 0).r;
    for (int i = 1; i < width; i++) largest = max(largest, texelFetch(similar, ivec2(i, row), 0).r);
}
