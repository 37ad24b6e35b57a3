// Every matrix is stored row by row, four numbers a texel; widths are multiples of four.
#define FETCH4(tex, row, col4) texelFetch(tex, ivec2(col4, row), 0)

float lane(vec4 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }

float fetch1(sampler2D tex, int row, int col) { return lane(FETCH4(tex, row, col / 4), col % 4); }

// nn.Linear keeps its weight as [out, in]: row o against row t.
float rowDot(sampler2D x, int t, sampler2D w, int o, int n4) {
    vec4 acc = vec4(0.0);
    for (int i = 0; i < n4; ++i) acc += FETCH4(x, t, i) * FETCH4(w, o, i);
    return acc.x + acc.y + acc.z + acc.w;
}

vec4 linear4(sampler2D x, sampler2D w, ivec2 pos, int n4) {
    return vec4(rowDot(x, pos.y, w, 4 * pos.x, n4),
                rowDot(x, pos.y, w, 4 * pos.x + 1, n4),
                rowDot(x, pos.y, w, 4 * pos.x + 2, n4),
                rowDot(x, pos.y, w, 4 * pos.x + 3, n4));
}
