#version 300 es
// Every channel by its own mean and variance, then the leaky ReLU.
precision highp float;
precision highp sampler2D;

uniform sampler2D uInput;
uniform sampler2D uScale;
uniform sampler2D uShift;
uniform vec2 uTile;
uniform vec2 uGrid;
uniform float uEpsilon;

out vec4 fragColor;

float read(vec2 tile, vec2 pixel) {
    return texture(uInput, (tile * uTile + pixel + 0.5) / (uTile * uGrid)).r;
}

void main() {
    vec2 st = gl_FragCoord.xy / uTile;
    vec2 tile = floor(st);
    vec2 pixel = floor(fract(st) * uTile);
    int number = int(tile.y * uGrid.x + tile.x);

    float count = uTile.x * uTile.y;
    float total = 0.0;
    for (float y = 0.0; y < uTile.y; y += 1.0)
        for (float x = 0.0; x < uTile.x; x += 1.0)
            total += read(tile, vec2(x, y));
    float mean = total / count;

    float squares = 0.0;
    for (float y = 0.0; y < uTile.y; y += 1.0)
        for (float x = 0.0; x < uTile.x; x += 1.0) {
            float d = read(tile, vec2(x, y)) - mean;
            squares += d * d;
        }
    float variance = squares / count;

    float unit = (read(tile, pixel) - mean) / sqrt(variance + uEpsilon);
    float scale = texelFetch(uScale, ivec2(number, 0), 0).r;
    float shift = texelFetch(uShift, ivec2(number, 0), 0).r;
    float y = unit * scale + shift;
    fragColor = vec4(max(y, 0.0) + 0.2 * min(y, 0.0));
}
