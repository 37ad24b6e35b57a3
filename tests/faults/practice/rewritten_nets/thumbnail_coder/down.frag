#version 330 core
// 3x3, every second pixel, leaky. `st` counts tiles: its floor says which channel, its fraction where in the picture.
uniform sampler2D t_X;
uniform sampler2D t_W;
uniform sampler2D t_B;
uniform vec2 inTile;      // pixels of one channel
uniform vec2 outTile;
uniform float inChannels;
uniform float outChannels;

out float Y;

float across(float channels) { return ceil(sqrt(channels)); }

float pixel(float channel, vec2 p) {
    float n = across(inChannels);
    vec2 tile = vec2(mod(channel, n), floor(channel / n + 1e-3));
    return texelFetch(t_X, ivec2(tile * inTile + p), 0).r;
}

float weight(float o, float i, vec2 tap) {
    float filters = across(outChannels), kernels = across(inChannels);
    vec2 outer = vec2(mod(o, filters), floor(o / filters + 1e-3));
    vec2 inner = vec2(mod(i, kernels), floor(i / kernels + 1e-3));
    vec2 block = vec2(kernels, ceil(inChannels / kernels));
    return texelFetch(t_W, ivec2((outer * block + inner) * 3.0 + tap), 0).r;
}

float leaky(float v) { return v < 0.0 ? 0.15 * v : v; }

void main() {
    vec2 st = gl_FragCoord.xy / outTile;
    vec2 tile = floor(st);
    vec2 p = floor(fract(st) * outTile);
    float o = tile.y * across(outChannels) + tile.x;
    if (o >= outChannels) {
        Y = 0.0;
        return;
    }

    float sum = texelFetch(t_B, ivec2(o, 0), 0).r;
    for (float i = 0.0; i < inChannels; i++) {
        for (int k = 0; k < 9; k++) {
            vec2 tap = vec2(k % 3, k / 3);
            vec2 from = p * 2.0 + tap - 1.0;
            if (from.x < 0.0 || from.y < 0.0 || from.x >= inTile.x || from.y >= inTile.y) continue;
            sum += pixel(i, from) * weight(o, i, tap);
        }
    }
    Y = leaky(sum);
}
