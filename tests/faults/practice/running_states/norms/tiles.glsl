// Channel c of picture n is tile n * CHANNELS + c, u_cols tiles to a row of tiles, WIDTH x HEIGHT texels each.

int tileOf(ivec2 texel, int cols) {
    return (texel.y / HEIGHT) * cols + texel.x / WIDTH;
}

ivec2 texelOf(int tile, int cols, ivec2 p) {
    return ivec2(tile % cols * WIDTH, tile / cols * HEIGHT) + p;
}

float tap(sampler2D tiles, int cols, int tile, ivec2 p) {
    return texelFetch(tiles, texelOf(tile, cols, p), 0).x;
}
