#version 330
// 3x3 pooling with stride 2 and a border of one: maximum, or the mean of what lies inside
#include "slices.glsl"

uniform sampler2D uInput;
uniform ivec2 uInSize;
uniform ivec2 uSize;
uniform ivec2 uInGrid;
uniform ivec2 uOutGrid;

out vec4 oColor;

const int kSize = 3;
const int kStride = 2;
const int kPad = 1;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    ivec2 tile = pos / uSize;
    ivec2 p = pos % uSize;
    int z = tile.y * uOutGrid.x + tile.x;
    ivec2 first = p * kStride - kPad;

#ifdef POOL_MAX
    vec4 best = vec4(-3.0e38);
#else
    vec4 sum = vec4(0.0);
    float count = 0.0;
#endif
    for (int dy = 0; dy < kSize; ++dy) {
        for (int dx = 0; dx < kSize; ++dx) {
            ivec2 q = first + ivec2(dx, dy);
            if (q.x < 0 || q.y < 0 || q.x >= uInSize.x || q.y >= uInSize.y) continue;
            vec4 v = loadSlice(uInput, q, z, uInGrid, uInSize);
#ifdef POOL_MAX
            best = max(best, v);
#else
            sum += v;
            count += 1.0;
#endif
        }
    }
#ifdef POOL_MAX
    oColor = best;
#else
    oColor = sum / count;
#endif
}
