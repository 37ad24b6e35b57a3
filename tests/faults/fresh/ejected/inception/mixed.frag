#version 300 es
precision highp float;
precision highp sampler2D;

in vec2 st;
uniform sampler2D uOne, uWide, uProj;
out float value;

// A channel of a texture of tiles in two columns
float tileRead(sampler2D from, float channel, vec2 within, float rows) {
    vec2 tile = vec2(mod(channel, 2.0), floor(channel / 2.0));
    return textureLod(from, (tile + within) / vec2(2.0, rows), 0.0).r;
}

void main() {
    vec2 cell = floor(st * 3.0);
    vec2 within = fract(st * 3.0);
    float channel = cell.y * 3.0 + cell.x;

    if (channel < 3.5)
        value = tileRead(uOne, channel, within, 2.0);
    else if (channel < 6.5)
        value = tileRead(uWide, channel - 4.0, within, 2.0);
    else
        value = tileRead(uProj, channel - 7.0, within, 1.0);
}
