#version 330
// the second blob behind the first, whose channels need not fill their last slice
#include "slices.glsl"

uniform sampler2D uFirst;
uniform sampler2D uSecond;
uniform ivec2 uSize;
uniform int uFirstChannels;
uniform ivec2 uFirstGrid;
uniform ivec2 uSecondGrid;
uniform ivec2 uOutGrid;

out vec4 oColor;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    ivec2 tile = pos / uSize;
    ivec2 p = pos % uSize;
    int c0 = (tile.y * uOutGrid.x + tile.x) * 4;
    vec4 res;
    for (int i = 0; i < 4; ++i) {
        int c = c0 + i;
        if (c < uFirstChannels) {
            res[i] = loadChannel(uFirst, p, c, uFirstGrid, uSize);
        } else {
            res[i] = loadChannel(uSecond, p, c - uFirstChannels, uSecondGrid, uSize);
        }
    }
    oColor = res;
}
