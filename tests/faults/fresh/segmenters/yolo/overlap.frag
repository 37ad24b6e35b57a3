#version 330
// intersection over union of boxes of one class, 0 for others
uniform sampler2D CORNERS, BEST;
out float r;

#define BOX(row) vec4(texelFetch(CORNERS, ivec2(0, row), 0).r, texelFetch(CORNERS, ivec2(1, row), 0).r, \
                      texelFetch(CORNERS, ivec2(2, row), 0).r, texelFetch(CORNERS, ivec2(3, row), 0).r)
#define CLASS(row) texelFetch(BEST, ivec2(1, row), 0).r
#define AREA(b) ((b.z - b.x) * (b.w - b.y))

void main() {
    ivec2 t = ivec2(gl_FragCoord.xy);
    vec4 a = BOX(t.y), b = BOX(t.x);
    vec2 side = max(min(a.zw, b.zw) - max(a.xy, b.xy), 0.0);
    float both = side.x * side.y;
    r = both / (AREA(a) + AREA(b) - both + 0.01);
    if (CLASS(t.x) != CLASS(t.y)) r = 0.0;
}
