#version 300 es
precision highp float;
precision highp sampler2D;

in vec2 st;
uniform sampler2D uMixed;
uniform vec2 uTiles, uTexel;
out float value;

void main() {
    vec2 size = 1.0 / (uTexel * uTiles);
    vec2 cell = floor(st * uTiles);
    // In texels of the small picture, from the centre of the first
    vec2 pixel = floor(fract(st * uTiles) * size * 2.0);
    vec2 at = (pixel + 0.5) * 0.5 - 0.5;
    vec2 low = floor(at);
    vec2 share = at - low;
    vec2 a = clamp(low, vec2(0.0), size - 1.0) + cell * size + 0.5;
    vec2 b = clamp(low + 1.0, vec2(0.0), size - 1.0) + cell * size + 0.5;

    float top = mix(textureLod(uMixed, a * uTexel, 0.0).r, textureLod(uMixed, vec2(b.x, a.y) * uTexel, 0.0).r, share.x);
    float bottom = mix(textureLod(uMixed, vec2(a.x, b.y) * uTexel, 0.0).r, textureLod(uMixed, b * uTexel, 0.0).r, share.x);
    value = mix(top, bottom, share.y);
}
