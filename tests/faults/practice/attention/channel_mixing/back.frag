#version 330
// Out of the heads again, and the picture that came in on top.
uniform sampler2D mixed;
uniform sampler2D x;
uniform sampler2D weight;
uniform sampler2D bias;
uniform ivec2 tile;
out float y;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), slot = p / tile, at = p % tile;
    int o = slot.y * 4 + slot.x;
    if (o >= 10) {
        y = 0.0;
        return;
    }
    float sum = 0.0;
    for (int i = 0; i < 10; i++) {
        ivec2 from = ivec2(i % 4, i / 4) * tile + at;
        sum += texelFetch(mixed, from, 0).r * texelFetch(weight, ivec2(i, o), 0).r;
    }
    y = texelFetch(x, p, 0).r + sum + texelFetch(bias, ivec2(o, 0), 0).r;
}
