// Channel c is a tile; u_columns of them lie side by side.
ivec2 corner(int c, int columns, ivec2 size) {
    return ivec2(c % columns, c / columns) * size;
}
