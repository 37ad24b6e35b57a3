#version 330
#include "tiles.glsl"

uniform sampler2D wide;
out float up;

const ivec2 LARGE = ivec2(20, 12);
const ivec2 SMALL = ivec2(10, 6);

void main() {
    Element e = element(ivec2(gl_FragCoord.xy), 3, LARGE);
    vec2 from = (vec2(e.at) + 0.5) * 0.5 - 0.5;
    vec2 whole = floor(from);
    vec2 part = from - whole;
    ivec2 a = max(ivec2(whole), ivec2(0));
    ivec2 b = min(ivec2(whole) + 1, SMALL - 1);
    float top = mix(fetch(wide, 3, SMALL, e.c, a), fetch(wide, 3, SMALL, e.c, ivec2(b.x, a.y)), part.x);
    float bottom = mix(fetch(wide, 3, SMALL, e.c, ivec2(a.x, b.y)), fetch(wide, 3, SMALL, e.c, b), part.x);
    up = mix(top, bottom, part.y);
}
