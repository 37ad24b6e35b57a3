// Reads of x in dispatches that sum over a window. k counts the taps of a parity and, within a tap, groups of four
// channels.

// Where the window of a pixel begins (y, x), and the first tile of its image. Pixels are those of one parity.
ivec3 origin_of(int parity, int pixel) {
    int area = u_places.x * u_places.y;
    int rest = pixel % area;
    int y = pixel < u_places.z ? rest / u_places.y * u_steps.x : -(1 << 20); // outside of x for every tap
    return ivec3(y, rest % u_places.y * u_steps.y, pixel / area * u_x.w);
}

// Quotients are exact: tiles and taps are fewer than 2^20, and half a step away from where rounding counts.
vec4 texel_of(ivec3 origin, int first_tap, int k, int end) {
    int tap = int((float(k) + 0.5) * u_inverse.x);
    ivec2 at = origin.xy + u_taps[min(first_tap + tap, MAX_TAPS - 1)].xy;
    if (k >= end || at.x < 0 || at.y < 0 || at.x >= u_x.x || at.y >= u_x.y) return vec4(0.0);
    int tile = origin.z + k - tap * u_x.w;
    int row = int((float(tile) + 0.5) * u_inverse.y);
    vec4 texel = texelFetch(t_X, ivec2((tile - row * u_x.z) * u_x.y + at.y, row * u_x.x + at.x), 0);
    // Lanes beyond the last channel may hold anything, NaN too.
    bool is_last = k - tap * u_x.w == u_x.w - 1;
    if (LAST_LANES < 4 && is_last) texel = mix(vec4(0.0), texel, greaterThan(ivec4(LAST_LANES), ivec4(0, 1, 2, 3)));
    return texel;
}
