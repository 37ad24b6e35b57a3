#version 330
// Channels of the values, mixed inside their head.
uniform sampler2D mixing;
uniform sampler2D qkv;
uniform ivec2 tile;
out float y;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), slot = p / tile, at = p % tile;
    int c = slot.y * 4 + slot.x;
    y = 0.0;
    if (c >= 10) return;
    int head = c / 5, i = c % 5;
    for (int j = 0; j < 5; j++) {
        int from = 20 + head * 5 + j;
        float share = texelFetch(mixing, ivec2(head * 5 + j, i), 0).r;
        y += share * texelFetch(qkv, ivec2(from % 6, from / 6) * tile + at, 0).r;
    }
}
