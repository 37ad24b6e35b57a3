#version 330 core
// Normalised, then with a gain and an offset from the style: gains first, offsets behind them.

uniform sampler2D feature_map;
uniform sampler2D moments;
uniform sampler2D style;
uniform ivec2 tile_size;
uniform float eps;

out float modulated;

const int CHANNELS = 8;

void main() {
    ivec2 target = ivec2(gl_FragCoord.xy);
    ivec2 tile = target / tile_size;
    int channel = tile.y * 3 + tile.x;

    float mean = texelFetch(moments, ivec2(2 * tile.x, tile.y), 0).r;
    float variance = texelFetch(moments, ivec2(2 * tile.x + 1, tile.y), 0).r;
    float gain = texelFetch(style, ivec2(channel, 0), 0).r;
    float offset = texelFetch(style, ivec2(CHANNELS + channel, 0), 0).r;

    float value = texelFetch(feature_map, target, 0).r;
    float normal = (value - mean) * inversesqrt(variance + eps);
    modulated = normal * (1.0 + gain) + offset;
}
