// y of Winograd's products: a fragment adds them up for 2x2 outputs of four channels, and finishes these

layout(std140, binding = 0) uniform Shape {
    ivec4 u_tiles;     // first tile, their number here, number of fragments
    ivec4 u_y;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_fragments; // width of the draw, slices, unused, unused
    ivec4 u_along;     // tiles that there is room for, tiles along y and x
    ivec4 u_stores[MAX_STORES];
};

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int rest = at.y * u_fragments.x + at.x;
    if (rest >= u_tiles.z) discard;
    int own = rest % u_along.x;
    rest /= u_along.x;
    if (own >= u_tiles.y) discard;
    int group = rest % u_y.w;
    int parity = rest / u_y.w;
    int stride = u_y.w * u_along.x;
    int index = parity * PLACES * stride + group * u_along.x + own;
    vec4 m[PLACES];
    for (int k = 0; k < PLACES; k++) { // unrolled
        m[k] = texelFetch(t_M, index + k * stride);
    }
    for (int slice = 1; slice < u_fragments.y; slice++) {
        index += PARITIES * PLACES * stride;
        for (int k = 0; k < PLACES; k++) { // unrolled
            m[k] += texelFetch(t_M, index + k * stride);
        }
    }
    vec4 rows[ROWS];
    for (int i = 0; i < SIDE_Y; i++) { // unrolled
        vec4 d[SIDE_X];
        for (int j = 0; j < SIDE_X; j++) { // unrolled
            d[j] = m[i * SIDE_X + j];
        }
        rows[i * 2] = SUMS_ALONG_X(d, 0);
        rows[i * 2 + 1] = SUMS_ALONG_X(d, 1);
    }
    int tile = u_tiles.x + own;
    int n = tile / (u_along.y * u_along.z);
    tile -= n * u_along.y * u_along.z;
    ivec2 first = ivec2(tile % u_along.z, tile / u_along.z) * 2;
    ivec2 spread = ivec2(SPREAD_X, SPREAD_Y), remainder = ivec2(parity % SPREAD_X, parity / SPREAD_X);
    begin(n, group, 0);
    for (int j = 0; j < 2; j++) { // unrolled
        vec4 d[SIDE_Y];
        for (int i = 0; i < SIDE_Y; i++) { // unrolled
            d[i] = rows[i * 2 + j];
        }
        for (int i = 0; i < 2; i++) { // unrolled
            ivec2 place = (first + ivec2(j, i)) * spread + remainder;
            if (place.x < u_y.y && place.y < u_y.x) finish(place, SUMS_ALONG_Y(d, i));
        }
    }
}
