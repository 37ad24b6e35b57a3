#version 330
// The mean of a channel over all pictures, from the sums of its rows
uniform sampler2D row_sums;
uniform int columns;
uniform int pictures;
uniform int channels;
uniform ivec2 size;
out float mean;
void main() {
    int channel = int(gl_FragCoord.y);
    float sum = 0.0;
    for (int n = 0; n < pictures; n++) {
        int tile = n * channels + channel;
        ivec2 corner = ivec2(tile % columns, tile / columns * size.y);
        for (int i = 0; i < size.y; i++) sum += texelFetch(row_sums, corner + ivec2(0, i), 0).x;
    }
    mean = sum / float(pictures * size.x * size.y);
}
