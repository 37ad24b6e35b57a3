#version 330 core
// Mean (left) and variance (right) of every channel, one row of two texels a channel.

uniform sampler2D feature_map;
uniform ivec2 tile_size;

out float moment;

float element(ivec2 corner, int i) {
    return texelFetch(feature_map, corner + ivec2(i % tile_size.x, i / tile_size.x), 0).r;
}

void main() {
    ivec2 target = ivec2(gl_FragCoord.xy);
    ivec2 corner = ivec2(target.x / 2, target.y) * tile_size;
    int count = tile_size.x * tile_size.y;

    float mean = 0.0;
    for (int i = 0; i < count; i++) mean += element(corner, i);
    mean /= float(count);

    float variance = 0.0;
    for (int i = 0; i < count; i++) {
        float distance_to_mean = element(corner, i) - mean;
        variance += distance_to_mean * distance_to_mean;
    }
    variance /= float(count);

    moment = target.x % 2 == 0 ? mean : variance;
}
