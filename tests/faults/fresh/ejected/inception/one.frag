#version 300 es
precision highp float;
precision highp sampler2D;

in vec2 st;
uniform sampler2D uImage, uKernel, uBias;
uniform vec2 uTiles, uImageTiles;
out float value;

void main() {
    vec2 cell = floor(st * uTiles);
    vec2 within = fract(st * uTiles);
    float channel = cell.x + cell.y * uTiles.x;

    float sum = textureLod(uBias, vec2((channel + 0.5) / 4.0, 0.5), 0.0).r;
    for (float i = 0.0; i < 5.0; i += 1.0) {
        vec2 tile = vec2(mod(i, 3.0), floor((i + 0.5) / 3.0));
        vec2 weight = (cell * vec2(3.0, 2.0) + tile + 0.5) / vec2(6.0, 4.0);
        sum += textureLod(uImage, (tile + within) / uImageTiles, 0.0).r * textureLod(uKernel, weight, 0.0).r;
    }
    value = max(sum, 0.0);
}
