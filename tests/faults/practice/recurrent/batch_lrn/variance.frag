#version 330
uniform sampler2D x;
uniform sampler2D means;
uniform int columns;
uniform int pictures;
uniform int channels;
uniform ivec2 size;
out float variance;
void main() {
    int channel = int(gl_FragCoord.y);
    float mean = texelFetch(means, ivec2(0, channel), 0).x;
    float sum = 0.0;
    for (int n = 0; n < pictures; n++) {
        int tile = n * channels + channel;
        ivec2 corner = ivec2(tile % columns, tile / columns) * size;
        for (int i = 0; i < size.y; i++) {
            for (int j = 0; j < size.x; j++) {
                float away = texelFetch(x, corner + ivec2(j, i), 0).x - mean;
                sum += away * away;
            }
        }
    }
    variance = sum / float(pictures * size.x * size.y);
}
