#version 300 es
// The skip: the channels of one tensor behind those of the other.
precision highp float;
precision highp sampler2D;

uniform sampler2D uUpper;
uniform sampler2D uSkip;
uniform vec2 uTile;
uniform vec2 uOutGrid;
uniform vec2 uUpperGrid;
uniform vec2 uSkipGrid;
uniform float uUpperCount;

out vec4 fragColor;

vec2 place(float number, vec2 grid) {
    float row = floor((number + 0.5) / grid.x);
    return vec2(number - row * grid.x, row);
}

void main() {
    vec2 st = gl_FragCoord.xy / uTile;
    vec2 position = fract(st);
    vec2 tile = floor(st);
    float number = tile.y * uOutGrid.x + tile.x;
    if (number < uUpperCount) {
        fragColor = texture(uUpper, (place(number, uUpperGrid) + position) / uUpperGrid);
    } else {
        fragColor = texture(uSkip, (place(number - uUpperCount, uSkipGrid) + position) / uSkipGrid);
    }
}
