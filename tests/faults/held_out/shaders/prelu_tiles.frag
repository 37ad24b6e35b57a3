#version 300 es
// PReLU with a slope a channel.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D features;
uniform sampler2D slopes;     // C x 1 x 1: a tile of one texel a channel
uniform ivec2 tile_size;
uniform int tile_columns;
uniform int slope_columns;

out float activated;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int channel = texel.y / tile_size.y * tile_columns + texel.x / tile_size.x;
    vec2 uv = (vec2(texel) + 0.5) / vec2(textureSize(features, 0));
    float x = texture(features, uv).r;
    float slope = texelFetch(slopes, ivec2(channel % slope_columns, channel / slope_columns), 0).r;
    activated = max(x, 0.0) + slope * min(x, 0.0);
}
