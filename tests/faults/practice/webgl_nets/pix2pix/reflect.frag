#version 300 es
// 3x3 with the picture mirrored at its border, then ReLU.
precision highp float;
precision highp sampler2D;

uniform sampler2D uInput;
uniform sampler2D uKernels;
uniform sampler2D uBias;
uniform vec2 uTile;
uniform vec2 uOutGrid;
uniform vec2 uInGrid;
uniform float uInCount;

out vec4 fragColor;

void main() {
    vec2 st = gl_FragCoord.xy / uTile;
    vec2 tile = floor(st);
    vec2 pixel = floor(fract(st) * uTile);
    vec2 last = uTile - 1.0;
    float number = tile.y * uOutGrid.x + tile.x;

    float sum = 0.0;
    for (float v = -1.0; v <= 1.0; v += 1.0) {
        for (float u = -1.0; u <= 1.0; u += 1.0) {
            vec2 at = abs(pixel + vec2(u, v));
            at = last - abs(last - at);
            for (float c = 0.0; c < uInCount; c += 1.0) {
                vec2 inTile = vec2(mod(c, uInGrid.x), floor((c + 0.5) / uInGrid.x));
                vec2 kernel = (tile * uInGrid + inTile) * 3.0 + 1.0;
                float x = texture(uInput, (inTile * uTile + at + 0.5) / (uInGrid * uTile)).r;
                float w = texture(uKernels, (kernel + vec2(u, v) + 0.5) / (uOutGrid * uInGrid * 3.0)).r;
                sum += x * w;
            }
        }
    }
    sum += texelFetch(uBias, ivec2(number, 0.0), 0).r;
    fragColor = vec4(max(sum, 0.0));
}
