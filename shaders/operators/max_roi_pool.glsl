// y[r,c,i,j] = max x[b, c, v, u] over the cell's rows v and columns u inside the picture, 0 for an empty cell,
// v from top + ⌊i · H / I⌋ to top + ⌈(i + 1) · H / I⌉ − 1 for region r = (b, left, top, right, bottom), rounded, of H rows

int rounded(float coordinate) {
    float scaled = coordinate * SPATIAL_SCALE;
    return int(scaled < 0.0 ? ceil(scaled - 0.5) : floor(scaled + 0.5));
}

// First place of cell i of `cells` over `count` elements from `start` on, and the place after its last, inside `size`.
ivec2 extent(int start, int count, int i, int cells, int size) {
    return clamp(start + ivec2(i * count / cells, ((i + 1) * count + cells - 1) / cells), 0, size);
}

float compute(ivec4 at) {
    int left = rounded(R(ivec4(0, 0, at.x, 1)));
    int top = rounded(R(ivec4(0, 0, at.x, 2)));
    int width = max(rounded(R(ivec4(0, 0, at.x, 3))) - left + 1, 1);
    int height = max(rounded(R(ivec4(0, 0, at.x, 4))) - top + 1, 1);
    ivec2 rows = extent(top, height, at.z, Y_shape.z, X_shape.z);
    ivec2 columns = extent(left, width, at.w, Y_shape.w, X_shape.w);
    int image = int(R(ivec4(0, 0, at.x, 0)));
    float largest = 0.0;

    for (int v = rows.x; v < rows.y; v++) {
        for (int u = columns.x; u < columns.y; u++) {
            float x = X(ivec4(image, at.y, v, u));
            if (x > largest || (v == rows.x && u == columns.x)) largest = x;
        }
    }
    return largest;
}
