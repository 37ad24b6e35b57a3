// y[n,c,o] = Σ_taps Π_axes weight(p_a − e_a) · x[n,c,e],  p the place in x that grid[n,o] names with −1 … 1 across x,
// e the elements around p: the nearest one, two (linear) or four (cubic) along each axis
//
// Axes are z, y, x; a picture has one plane. A tensor of five axes is seen with its first two folded into one.

float mirrored(float place, float low, float high) {
    if (place >= low && place <= high) return place;
    float range = high - low;
    float beyond = place < low ? low - place : place - high;
    float turns = floor(beyond / range);
    float rest = beyond - turns * range;
    bool from_low = (place < low) == (turns - 2.0 * floor(turns / 2.0) == 0.0);
    return from_low ? low + rest : high - rest;
}

float place_of(float n, int size) {
    float place = ALIGN_CORNERS ? (n + 1.0) / 2.0 * float(size - 1) : ((n + 1.0) * float(size) - 1.0) / 2.0;
    if (NEAREST) place = roundEven(place);
    float low = ALIGN_CORNERS ? 0.0 : -0.5;
    float high = float(size) - (ALIGN_CORNERS ? 1.0 : 0.5);
    if (place >= low && place <= high) return place;
    if (BORDER) return clamp(place, 0.0, float(size - 1));
    return REFLECTION ? mirrored(place, low, high) : place;
}

// The element that a tap at `place` reads: −1 for one that counts as zero.
int element_of(int place, int size) {
    if (BORDER) return clamp(place, 0, size - 1);
    if (REFLECTION) {
        float low = ALIGN_CORNERS ? 0.0 : -0.5;
        return clamp(int(mirrored(float(place), low, float(size) - (ALIGN_CORNERS ? 1.0 : 0.5))), 0, size - 1);
    }
    return place >= 0 && place < size ? place : -1;
}

// Linear: 1 − d; cubic: Keys' kernel with a = −0.75.
float weight_of(float d) {
    if (NEAREST) return 1.0;
    if (!CUBIC) return 1.0 - d;
    float a = -0.75;
    return d <= 1.0 ? ((a + 2.0) * d - (a + 3.0)) * d * d + 1.0 : ((a * d - 5.0 * a) * d + 8.0 * a) * d - 4.0 * a;
}

float compute(ivec4 at) {
    int n = SOLID ? at.x / CHANNELS : at.x;
    int c = SOLID ? at.x % CHANNELS : at.y;
    ivec3 taps = ivec3(SOLID ? TAPS : 1, TAPS, TAPS);
    ivec3 base = ivec3(0);
    vec3 place = vec3(0.0);

    for (int axis = SOLID ? 0 : 1; axis < 3; axis++) {
        float n_axis = G(SOLID ? ivec4(n * OUT_DEPTH + at.y, at.zw, 2 - axis) : ivec4(n, at.zw, 2 - axis));
        place[axis] = place_of(n_axis, SIZES[axis]);
        base[axis] = NEAREST ? int(place[axis]) : int(floor(place[axis])) - (CUBIC ? 1 : 0);
    }

    float sum = 0.0;
    for (int i = 0; i < taps.x; i++) {
        int z = SOLID ? element_of(base.x + i, SIZES[0]) : 0;
        float sum_y = 0.0;
        for (int j = 0; j < taps.y; j++) {
            int y = element_of(base.y + j, SIZES[1]);
            float sum_x = 0.0;
            for (int k = 0; k < taps.z; k++) {
                int x = element_of(base.z + k, SIZES[2]);
                if (z < 0 || y < 0 || x < 0) continue;
                float value = X(SOLID ? ivec4(n * CHANNELS + c, z, y, x) : ivec4(n, c, y, x));
                sum_x += weight_of(abs(place.z - float(base.z + k))) * value;
            }
            sum_y += weight_of(abs(place.y - float(base.y + j))) * sum_x;
        }
        sum += (SOLID ? weight_of(abs(place.x - float(base.x + i))) : 1.0) * sum_y;
    }
    return sum;
}
