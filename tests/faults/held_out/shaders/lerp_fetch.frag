#version 300 es
// Bilinear enlargement, whole numbers for places and floats for shares.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D source;
uniform ivec2 source_size;   // of a tile: width, height
uniform int factor;

out float value;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 size = source_size * factor;
    ivec2 corner = texel / size * source_size;
    vec2 at = (vec2(texel % size) + 0.5) / float(factor) - 0.5;

    ivec2 near = ivec2(floor(at));
    vec2 share = at - vec2(near);
    float total = 0.0;
    for (int v = 0; v < 2; v++) {
        for (int u = 0; u < 2; u++) {
            ivec2 place = clamp(near + ivec2(u, v), ivec2(0), source_size - 1);
            float part = (u == 0 ? 1.0 - share.x : share.x) * (v == 0 ? 1.0 - share.y : share.y);
            total += part * texelFetch(source, corner + place, 0).r;
        }
    }
    value = total;
}
