#version 330
uniform sampler2D similar;
uniform sampler2D largest;
out float total;
void main() {
    int row = int(gl_FragCoord.y);
    int width = textureSize(similar, 0).x;
    float most = texelFetch(largest, ivec2(0, row), 0).r;
    total = 0.0;
    for (int i = 0; i < width; i++) total += exp(texelFetch(similar, ivec2(i, row), 0).r - most);
}
