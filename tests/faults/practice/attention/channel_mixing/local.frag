#version 330
// A 3x3 window for each of the 30 channels alone, zeros beyond the border.
uniform sampler2D x;
uniform sampler2D taps;     // 30 tiles of 3 x 3, six a row
uniform sampler2D bias;
uniform ivec2 tile;
out float y;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    ivec2 slot = p / tile;
    ivec2 corner = slot * tile;
    ivec2 at = p - corner;
    int c = slot.y * 6 + slot.x;

    float sum = 0.0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            ivec2 from = at + ivec2(dx, dy);
            if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, tile))) continue;
            float tap = texelFetch(taps, slot * 3 + ivec2(dx + 1, dy + 1), 0).r;
            sum += tap * texelFetch(x, corner + from, 0).r;
        }
    }
    y = sum + texelFetch(bias, ivec2(c, 0), 0).r;
}
