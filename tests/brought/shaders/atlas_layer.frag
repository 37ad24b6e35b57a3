#version 300 es
precision highp float;
precision highp sampler2D;
// A network that lives in one texture: every layer is a rectangle of it, with eight tiles a row.
uniform sampler2D Atlas;
uniform sampler2D Weights;
uniform vec4 SourceRect;
uniform float TileSide;
out float texel;

float layer(vec2 at, float channel) {
    if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(TileSide)))) return 0.0;
    vec2 tile = vec2(mod(channel, 8.0), floor(channel / 8.0));
    return texelFetch(Atlas, ivec2(SourceRect.xy + tile * TileSide + at), 0).r;
}

void main() {
    vec2 at = floor(gl_FragCoord.xy);
    vec2 tile = floor(at / TileSide);
    float filterIndex = tile.y * 8.0 + tile.x;
    at -= tile * TileSide;
    float sum = texelFetch(Weights, ivec2(108, int(filterIndex)), 0).r;
    for (float c = 0.0; c < 12.0; c++)
        for (float y = 0.0; y < 3.0; y++)
            for (float x = 0.0; x < 3.0; x++)
                sum += texelFetch(Weights, ivec2(int(c * 9.0 + y * 3.0 + x), int(filterIndex)), 0).r
                     * layer(at + vec2(x, y) - 1.0, c);
    texel = max(sum, 0.2 * sum);
}
