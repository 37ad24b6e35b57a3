#version 300 es
// Every channel times its own factor plus its own shift, for a batch of pictures.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D pictures;
uniform sampler2D factors;    // C x 1 x 1: tiles of one texel
uniform sampler2D shifts;

const vec2 size = vec2(7.0, 4.0);
const vec2 grid = vec2(4.0, 3.0);   // of all channels of all pictures
const int channels = 5;
const int columns = 3;              // of factors and of shifts

out float color;

ivec2 own(int channel) {
    return ivec2(channel % columns, channel / columns);
}

void main() {
    vec2 uv = gl_FragCoord.xy / (size * grid);
    vec2 cell = floor(uv * grid);
    int tile = int(cell.y * grid.x + cell.x);
    int channel = tile % channels;
    float x = texture(pictures, uv).r;
    float factor = texelFetch(factors, own(channel), 0).r;
    float shift = texelFetch(shifts, own(channel), 0).r;
    color = x * factor + shift;
}
