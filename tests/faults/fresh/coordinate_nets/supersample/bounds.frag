#version 330 core
uniform sampler2D s_now;
layout(location = 0) out vec4 o_low;
layout(location = 1) out vec4 o_high;

#define AT(dx, dy) texelFetch(s_now, clamp(px + ivec2(dx, dy), ivec2(0), size - 1), 0)

void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    ivec2 size = textureSize(s_now, 0);
    vec4 c = AT(0, 0);
    vec4 lo = c, hi = c;
    for (int y = -1; y <= 1; ++y) {
        vec4 l = AT(-1, y), m = AT(0, y), r = AT(1, y);
        lo = min(lo, min(l, min(m, r)));
        hi = max(hi, max(l, max(m, r)));
    }
    o_low = lo;
    o_high = hi;
}
