// Where things are in a texture of tiles, four channels a texel. Sizes are width, then height.

// The corner of a tile
ivec2 corner(int tile, ivec2 size, int columns) {
    return ivec2(tile % columns, tile / columns) * size;
}

// Which tile a texel is in
int tile_at(ivec2 texel, ivec2 size, int columns) {
    return texel.y / size.y * columns + texel.x / size.x;
}

// Whether a place lies in the picture
bool inside(ivec2 place, ivec2 size) {
    return place.x >= 0 && place.y >= 0 && place.x < size.x && place.y < size.y;
}
