// T(b, h, w, c): a tensor's element, wherever it lies in its texture.
// Channels are tiles, dealt row by row into a grid of COLS columns.

precision highp float;
precision highp int;
precision highp sampler2D;

#define COLS(channels) int(ceil(sqrt(float(channels))))

ivec2 tileOf(int c, int cols) {
    return ivec2(c - (c / cols) * cols, c / cols);
}

ivec2 place(int h, int w, int c, ivec3 dims) {
    return tileOf(c, COLS(dims.z)) * dims.yx + ivec2(w, h);
}

// dims: height, width, channels
float fetch(sampler2D t, ivec3 dims, int h, int w, int c) {
    return texelFetch(t, place(h, w, c, dims), 0).r;
}

// height, width, channel of the fragment; channel >= dims.z is padding
ivec3 here(ivec2 frag, ivec3 dims) {
    ivec2 tile = frag / dims.yx;
    ivec2 inside = frag - tile * dims.yx;
    return ivec3(inside.y, inside.x, tile.y * COLS(dims.z) + tile.x);
}
