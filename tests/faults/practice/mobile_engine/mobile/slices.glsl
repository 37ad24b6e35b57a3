// NC4HW4 in one texture: slice z holds channels 4z .. 4z+3, slices are tiles of a grid.
#define UP_DIV(x, y) (((x) + (y) - 1) / (y))

ivec2 tileOrigin(int z, ivec2 grid, ivec2 size) {
    return ivec2(z % grid.x, z / grid.x) * size;
}

vec4 loadSlice(sampler2D blob, ivec2 p, int z, ivec2 grid, ivec2 size) {
    return texelFetch(blob, tileOrigin(z, grid, size) + p, 0);
}

float loadChannel(sampler2D blob, ivec2 p, int c, ivec2 grid, ivec2 size) {
    return loadSlice(blob, p, c / 4, grid, size)[c % 4];
}

vec4 loadFlat(sampler2D table, int i, int width) {
    return texelFetch(table, ivec2(i % width, i / width), 0);
}

bool outOf(ivec2 p, ivec2 size) {
    return any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size));
}

vec4 activate(vec4 v) {
#if defined(RELU6)
    return clamp(v, vec4(0.0), vec4(6.0));
#elif defined(RELU)
    return max(v, vec4(0.0));
#else
    return v;
#endif
}
