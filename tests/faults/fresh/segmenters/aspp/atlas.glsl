// An atlas is a texture with one tile for each channel, `columns` tiles in a row.

/** Which texel of an atlas is the first of a channel's tile. */
ivec2 tileOrigin(int channel, int columns, ivec2 tileSize) {
    int tileColumn = channel % columns;
    int tileRow = channel / columns;
    return ivec2(tileColumn, tileRow) * tileSize;
}

/** Which channel a texel of an atlas belongs to. */
int channelOf(ivec2 texel, int columns, ivec2 tileSize) {
    ivec2 tile = texel / tileSize;
    return tile.y * columns + tile.x;
}

/** Whether a position lies inside of a tile. */
bool isInside(ivec2 position, ivec2 tileSize) {
    return position.x >= 0 && position.y >= 0 && position.x < tileSize.x && position.y < tileSize.y;
}

/** One value of a channel; zero beyond its borders. */
float readChannel(sampler2D atlas, int channel, int columns, ivec2 tileSize, ivec2 position) {
    if (!isInside(position, tileSize)) {
        return 0.0;
    }
    return texelFetch(atlas, tileOrigin(channel, columns, tileSize) + position, 0).r;
}

/**
 * One weight of a convolution. Filters are blocks, `filterColumns` of them in a row; in a block there is a kernel
 * for each input, `kernelColumns` by `kernelRows` of them.
 */
float readWeight(sampler2D filters, int outputChannel, int inputChannel, ivec2 tap,
                 int filterColumns, ivec2 kernels, ivec2 kernelSize) {
    ivec2 block = tileOrigin(outputChannel, filterColumns, kernels * kernelSize);
    ivec2 kernel = tileOrigin(inputChannel, kernels.x, kernelSize);
    return texelFetch(filters, block + kernel + tap, 0).r;
}
