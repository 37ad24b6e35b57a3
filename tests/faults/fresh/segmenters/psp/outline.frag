#version 330
// The largest less the smallest of the 3 x 3 texels around; borders repeat.

uniform sampler2D tMap;
uniform ivec2 size;
out vec4 edge;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float low = 1e9, high = -1e9;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            ivec2 p = clamp(at + ivec2(dx, dy), ivec2(0), size - 1);
            float v = texelFetch(tMap, p, 0).r;
            low = min(low, v);
            high = max(high, v);
        }
    }
    edge = vec4(high - low, 0, 0, 0);
}
