#version 330 core
// Channels of three pictures, one after the other.

uniform sampler2D u_first;
uniform sampler2D u_second;
uniform sampler2D u_third;
uniform int u_first_channels;
uniform int u_second_channels;
uniform int u_third_channels;
uniform ivec2 u_tile;
uniform int u_columns;

out float color;

ivec2 corner(int channel, int channels) {
    int columns = int(ceil(sqrt(float(channels)) - 0.001));
    return ivec2(channel % columns, channel / columns) * u_tile;
}

float read(sampler2D image, int channel, int channels, ivec2 pixel) {
    vec2 at = vec2(corner(channel, channels) + pixel) + 0.5;
    return texture(image, at / vec2(textureSize(image, 0))).r;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 pixel = texel % u_tile;
    int channel = texel.y / u_tile.y * u_columns + texel.x / u_tile.x;
    int second = u_first_channels;
    int third = u_first_channels + u_second_channels;

    if (channel < second) {
        color = read(u_first, channel, u_first_channels, pixel);
    } else if (channel < third) {
        color = read(u_second, channel - second, u_second_channels, pixel);
    } else {
        color = read(u_third, channel - third, u_third_channels, pixel);
    }
}
