// m[o, i, r, q] = Σ of w[o, i, k, q] over the taps k along y that read the same row of a tensor whose rows are repeated
//
// Rows r are those that outputs of the first remainder by the repeats read, from the first on, then those of the next.
// Channels beside what is repeated keep their rows.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_w;    // taps along y and x, columns of the grid of tiles, groups of four of the second axis
    ivec4 u_m;    // rows of m, groups of channels that are repeated
    vec4 u_texel; // 1 / width and height of w in texels
};

layout(location = 0) out vec4 Y;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 cell = at / ivec2(u_w.y, u_m.x);
    int row = at.y - cell.y * u_m.x;
    ivec2 taps = ivec2(row, min(row + 1, u_w.x));
    if ((cell.y * u_w.z + cell.x) % u_w.w < u_m.y) {
        int start = 0;
        for (int r = 0; r < REPEATS_Y; r++) { // unrolled
            int first = (r + SHIFT_Y) / REPEATS_Y;
            int count = (r + SHIFT_Y + u_w.x - 1) / REPEATS_Y - first + 1;
            int tap = (row - start + first) * REPEATS_Y - r - SHIFT_Y;
            if (row >= start && row < start + count) taps = ivec2(max(tap, 0), min(tap + REPEATS_Y, u_w.x));
            start += count;
        }
    }
    vec4 sum = vec4(0.0);
    for (int m = 0; m < REPEATS_Y; m++) { // unrolled
        vec2 place = vec2(at.x, cell.y * u_w.x + min(taps.x + m, u_w.x - 1)) + 0.5;
        sum += mix(vec4(0.0), textureLod(t_X, place * u_texel.xy, 0.0), bvec4(taps.x + m < taps.y));
    }
    Y = sum;
}
