#version 330
// Mean and variance of each channel of each picture: both results have one texel for a tile of x
uniform sampler2D x;
uniform ivec2 size;
layout(location = 0) out float mean;
layout(location = 1) out float variance;
void main() {
    ivec2 corner = ivec2(gl_FragCoord.xy) * size;
    float sum = 0.0;
    for (int i = 0; i < size.y; i++) {
        for (int j = 0; j < size.x; j++) sum += texelFetch(x, corner + ivec2(j, i), 0).x;
    }
    float area = float(size.x * size.y);
    mean = sum / area;
    float squares = 0.0;
    for (int i = 0; i < size.y; i++) {
        for (int j = 0; j < size.x; j++) {
            float away = texelFetch(x, corner + ivec2(j, i), 0).x - mean;
            squares += away * away;
        }
    }
    variance = squares / area;
}
