#version 330 core
// Every pixel's channels as a vector of length one, nearly.

uniform sampler2D feature_map;
uniform ivec2 tile_size;
uniform int channels;

out float shortened;

void main() {
    ivec2 target = ivec2(gl_FragCoord.xy);
    ivec2 pixel = target % tile_size;

    float squares = 0.0;
    for (int c = 0; c < channels; c++) {
        float value = texelFetch(feature_map, ivec2(c % 3, c / 3) * tile_size + pixel, 0).r;
        squares += value * value;
    }
    shortened = texelFetch(feature_map, target, 0).r / sqrt(squares + 0.1);
}
