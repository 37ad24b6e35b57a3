#version 330
// Local response over three channels: x / (1.5 + 0.9 / 3 * squares) ^ 0.75
uniform sampler2D x;
uniform int columns;
uniform int channels;
uniform ivec2 size;
out float y;
float fetch(int tile, ivec2 inside) {
    return texelFetch(x, ivec2(tile % columns, tile / columns) * size + inside, 0).x;
}
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 inside = at % size;
    int tile = at.y / size.y * columns + at.x / size.x;
    int channel = tile % channels;
    int from = max(channel - 1, 0), to = min(channel + 1, channels - 1);
    float squares = 0.0;
    for (int c = from; c <= to; c++) {
        float value = fetch(tile - channel + c, inside);
        squares += value * value;
    }
    y = fetch(tile, inside) * pow(1.5 + 0.9 / 3.0 * squares, -0.75);
}
