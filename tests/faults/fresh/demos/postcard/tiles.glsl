// One channel a tile. A tensor is a sampler and how many columns of tiles its texture has.

int tileIndex(ivec2 fragment, ivec2 tileSize, int columns) {
    ivec2 tile = fragment / tileSize;
    return tile.y * columns + tile.x;
}

ivec2 placeInTile(ivec2 fragment, ivec2 tileSize) {
    return ivec2(fragment.x % tileSize.x, fragment.y % tileSize.y);
}

float readChannel(sampler2D tensor, int channel, ivec2 place, ivec2 tileSize, int columns) {
    ivec2 origin = ivec2(channel % columns, channel / columns) * tileSize;
    return texelFetch(tensor, origin + place, 0).r;
}

// -1 is 1 and n is n - 2, as in torch's ReflectionPad2d.
int reflectIndex(int index, int n) {
    int folded = abs(index);
    return folded < n ? folded : 2 * n - 2 - folded;
}

ivec2 reflectPlace(ivec2 place, ivec2 size) {
    return ivec2(reflectIndex(place.x, size.x), reflectIndex(place.y, size.y));
}
