// y[r,c,i,j] = mean over samples s, t of x[b[r], c, v, u] between its four neighbours,
// v = top + (i + (s + ½) / S) · height / I,  u = left + (j + (t + ½) / T) · width / J  for region r of S × T samples a cell;
// or the largest neighbour, each times its weight. A sample beyond the picture by more than one counts as zero.

// The smallest n with n · cells ≥ size: ⌈size / cells⌉, whatever a division rounds to.
int samples_of(float size, int cells) {
    if (SAMPLING_RATIO > 0) return SAMPLING_RATIO;
    int n = int(ceil(size / float(cells)));
    if (float((n - 1) * cells) >= size) n--;
    return float(n * cells) < size ? n + 1 : n;
}

// Element before the place, element after it, and the share of the latter.
vec3 between(float place, int size) {
    place = max(place, 0.0);
    if (int(place) >= size - 1) return vec3(size - 1, size - 1, 0.0);
    return vec3(int(place), int(place) + 1, place - float(int(place)));
}

float compute(ivec4 at) {
    vec4 region = vec4(R(ivec4(0, 0, at.x, 0)), R(ivec4(0, 0, at.x, 1)), R(ivec4(0, 0, at.x, 2)), R(ivec4(0, 0, at.x, 3)));
    region = region * SPATIAL_SCALE - OFFSET;
    int batch = int(N(ivec4(0, 0, 0, at.x)));
    vec2 size = region.zw - region.xy;
    if (!HALF_PIXEL) size = max(size, 1.0);
    vec2 cell = size / vec2(Y_shape.w, Y_shape.z);
    int rows = samples_of(size.y, Y_shape.z);
    int columns = samples_of(size.x, Y_shape.w);
    float y = 0.0;

    for (int s = 0; s < rows; s++) {
        for (int t = 0; t < columns; t++) {
            float v = region.y + float(at.z) * cell.y + (float(s) + 0.5) * cell.y / float(rows);
            float u = region.x + float(at.w) * cell.x + (float(t) + 0.5) * cell.x / float(columns);
            bool inside = v >= -1.0 && v <= float(X_shape.z) && u >= -1.0 && u <= float(X_shape.w);
            vec3 down = between(v, X_shape.z);
            vec3 right = between(u, X_shape.w);
            vec4 sample_ = vec4(0.0);
            if (inside) {
                sample_.x = (1.0 - down.z) * (1.0 - right.z) * X(ivec4(batch, at.y, int(down.x), int(right.x)));
                sample_.y = (1.0 - down.z) * right.z * X(ivec4(batch, at.y, int(down.x), int(right.y)));
                sample_.z = down.z * (1.0 - right.z) * X(ivec4(batch, at.y, int(down.y), int(right.x)));
                sample_.w = down.z * right.z * X(ivec4(batch, at.y, int(down.y), int(right.y)));
            }
            float largest = max(max(sample_.x, sample_.y), max(sample_.z, sample_.w));
            if (LARGEST) y = s + t == 0 ? largest : max(y, largest);
            else y += sample_.x + sample_.y + sample_.z + sample_.w;
        }
    }
    return LARGEST ? y : y / float(max(rows * columns, 1));
}
