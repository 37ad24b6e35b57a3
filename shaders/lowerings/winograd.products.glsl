// m[place, o, tile] = Σ_c inputs[place, c, tile] · w[place, o, c]: one product of matrices for each place of a tile
//
// One fragment computes TILES neighbours of GROUPS groups of four channels, as `window_sum.glsl` does pixels.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_fragments; // width of the draw, number of fragments, runs of tiles, tiles
    ivec4 u_groups;    // groups of inputs, of outputs, groups of inputs a slice
};

layout(std430, binding = 0) writeonly buffer Sums {
    vec4 b_sums[]; // [slice, parity, place, group of y, tile]
};

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int rest = at.y * u_fragments.x + at.x;
    if (rest >= u_fragments.y) discard;
    int run = rest % u_fragments.z * TILES;
    rest /= u_fragments.z;
    int blocks = (u_groups.y + GROUPS - 1) / GROUPS;
    int block = rest % blocks;
    rest /= blocks;
    int place = rest % (SIDE_Y * SIDE_X);
    rest /= SIDE_Y * SIDE_X;
    int parity = rest % PARITIES;
    int slice = rest / PARITIES;
    // Neighbouring parities share inputs where their windows overlap.
    int y = place / SIDE_X + parity / SPREAD_X * SHIFT_Y, x = place % SIDE_X + parity % SPREAD_X * SHIFT_X;
    vec4 sum[SUMS];
    for (int k = 0; k < SUMS; k++) { // unrolled
        sum[k] = vec4(0.0);
    }
    int first = slice * u_groups.z;
    int last = min(first + u_groups.z, u_groups.x);
    int v = ((y * PLACES_X + x) * u_groups.x + first) * u_fragments.w + run;
    int w = (((parity * SIDE_Y * SIDE_X + place) * blocks + block) * u_groups.x + first) * (GROUPS * 4);
    for (int i = first; i < last; i++) {
        vec4 d[TILES];
        for (int k = 0; k < TILES; k++) { // unrolled
            d[k] = texelFetch(t_V, v + k);
        }
        v += u_fragments.w;
        for (int g = 0; g < GROUPS; g++) { // unrolled
            vec4 w0 = texelFetch(t_W, w), w1 = texelFetch(t_W, w + 1);
            vec4 w2 = texelFetch(t_W, w + 2), w3 = texelFetch(t_W, w + 3);
            w += 4;
            for (int k = 0; k < TILES; k++) { // unrolled
                sum[g * TILES + k] += d[k].x * w0 + d[k].y * w1 + d[k].z * w2 + d[k].w * w3;
            }
        }
    }
    int index = (((slice * PARITIES + parity) * SIDE_Y * SIDE_X + place) * u_groups.y + block * GROUPS) * u_fragments.w;
    for (int g = 0; g < GROUPS; g++) { // unrolled
        if (block * GROUPS + g < u_groups.y) {
            for (int k = 0; k < TILES; k++) { // unrolled
                b_sums[index + g * u_fragments.w + run + k] = sum[g * TILES + k];
            }
        }
    }
}
