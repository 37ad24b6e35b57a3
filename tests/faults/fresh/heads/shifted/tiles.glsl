// Pictures whose channels are tiles: helpers to find a channel's texel, and the place that a fragment makes.

struct Place {
    int channel;
    int y;
    int x;
};

Place placeOfFragment(int tilesAcross, ivec2 pictureSize) {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / pictureSize;
    return Place(tile.y * tilesAcross + tile.x, texel.y % pictureSize.y, texel.x % pictureSize.x);
}

float loadTile(sampler2D picture, int tilesAcross, ivec2 pictureSize, int channel, int y, int x) {
    ivec2 tile = ivec2(channel % tilesAcross, channel / tilesAcross);
    return texelFetch(picture, tile * pictureSize + ivec2(x, y), 0).r;
}

float loadMatrix(sampler2D matrix, int row, int column) {
    return texelFetch(matrix, ivec2(column, row), 0).r;
}
