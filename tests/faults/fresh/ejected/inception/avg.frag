#version 300 es
precision highp float;
precision highp sampler2D;

in vec2 st;
uniform sampler2D uImage;
uniform vec2 uTiles;
out float value;

vec2 size = vec2(10.0, 7.0);

float pick(vec2 cell, vec2 at) {
    if (at.x < 0.0 || at.y < 0.0 || at.x > size.x - 0.5 || at.y > size.y - 0.5) return 0.0;
    return textureLod(uImage, (cell * size + at + 0.5) / (uTiles * size), 0.0).r;
}

void main() {
    vec2 cell = floor(st * uTiles);
    vec2 at = floor((st * uTiles - cell) * size);
    float top = pick(cell, at + vec2(-1.0, -1.0)) + pick(cell, at + vec2(0.0, -1.0)) + pick(cell, at + vec2(1.0, -1.0));
    float middle = pick(cell, at + vec2(-1.0, 0.0)) + pick(cell, at) + pick(cell, at + vec2(1.0, 0.0));
    float bottom = pick(cell, at + vec2(-1.0, 1.0)) + pick(cell, at + vec2(0.0, 1.0)) + pick(cell, at + vec2(1.0, 1.0));
    value = (top + middle + bottom) / 9.0;
}
