// Channel c is a tile of its own in a grid with u_columns tiles a row. Rows are bands, columns are frames.

ivec2 tileOrigin(int channel, int columns, ivec2 size) {
    return ivec2(channel % columns, channel / columns) * size;
}

float readTile(highp sampler2D tensor, int channel, int columns, ivec2 size, int band, int frame) {
    return texelFetch(tensor, tileOrigin(channel, columns, size) + ivec2(frame, band), 0).r;
}

float readVector(highp sampler2D tensor, int index) {
    return texelFetch(tensor, ivec2(index, 0), 0).r;
}

bool isInside(ivec2 place, ivec2 size) {
    return place.x >= 0 && place.y >= 0 && place.x < size.x && place.y < size.y;
}
