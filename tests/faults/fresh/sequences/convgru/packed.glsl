// Feature maps: tiles of HGT x WID texels, four channels each, dealt into a grid of GRID(tex) columns.
// Kernels: a 3 x 3 tile for each (output, four inputs); tile number = output * groups + group.
const int WID = 9;
const int HGT = 6;

int columnsOf(sampler2D tex, int tileWidth) {
    return textureSize(tex, 0).x / tileWidth;
}

ivec2 tileOrigin(int number, int columns, ivec2 tileSize) {
    return ivec2(number % columns, number / columns) * tileSize;
}

vec4 feature(sampler2D tex, int group, ivec2 at) {
    if (at.x < 0 || at.y < 0 || at.x >= WID || at.y >= HGT) return vec4(0.0);
    return texelFetch(tex, tileOrigin(group, columnsOf(tex, WID), ivec2(WID, HGT)) + at, 0);
}

vec4 kernel4(sampler2D tex, int output_, int groups, int group, ivec2 tap) {
    return texelFetch(tex, tileOrigin(output_ * groups + group, columnsOf(tex, 3), ivec2(3)) + tap, 0);
}

vec4 row4(sampler2D tex, int group) {
    int wide = textureSize(tex, 0).x;
    return texelFetch(tex, ivec2(group % wide, group / wide), 0);
}
