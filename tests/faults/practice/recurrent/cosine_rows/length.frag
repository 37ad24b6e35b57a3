#version 330
uniform sampler2D rows;
out float len;
void main() {
    int r = int(gl_FragCoord.y);
    int width = textureSize(rows, 0).x;
    float sum = 0.0;
    for (int i = 0; i < width; i++) {
        float v = texelFetch(rows, ivec2(i, r), 0).r;
        sum += v * v;
    }
    len = sqrt(sum);
}
