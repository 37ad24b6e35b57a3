// y[n, c, j] = b[c] + Σ_p x[n, c, j·s + origin + p·d] · w[c, p]; j, p along y and x
//
// One fragment computes a run of PIXELS neighbours along x, of four channels: each weight serves all pixels.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_y;         // the same of the output
    ivec4 u_fragments; // width of the draw, number of fragments, runs along x, 0
    ivec4 u_origins;   // first row and column of the window at output 0
    ivec4 u_stores[MAX_STORES];
    vec4 u_texel;      // 1 / width and height of x in texels
};

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int rest = at.y * u_fragments.x + at.x;
    if (rest >= u_fragments.y) discard;
    int run = rest % u_fragments.z * PIXELS;
    rest /= u_fragments.z;
    int y = rest % u_y.x;
    int tile = rest / u_y.x;
    int n = tile / u_y.w;
    int group = tile - n * u_y.w;
    int y0 = y * STRIDE_Y + u_origins.x;
    int x0 = run * STRIDE_X + u_origins.y;
    ivec2 corner = ivec2(tile % u_x.z, tile / u_x.z) * u_x.yx;
    vec4 sum[PIXELS];
    for (int k = 0; k < PIXELS; k++) { // unrolled
        sum[k] = vec4(0.0);
    }
    for (int p = 0; p < KERNEL_Y; p++) {
        int row = y0 + p * DILATION_Y;
        if (row < 0 || row >= u_x.x) continue;
        float t = (float(corner.y + row) + 0.5) * u_texel.y;
        int w = (group * KERNEL_Y + p) * KERNEL_X;
        vec4 v[SPAN];
        for (int c = 0; c < SPAN; c++) { // unrolled
            int column = x0 + c;
            float s = (float(corner.x + clamp(column, 0, u_x.y - 1)) + 0.5) * u_texel.x;
            v[c] = mix(vec4(0.0), textureLod(t_X, vec2(s, t), 0.0), bvec4(column >= 0 && column < u_x.y));
        }
        for (int q = 0; q < KERNEL_X; q++) { // unrolled
            vec4 weight = texelFetch(t_W, w + q);
            for (int k = 0; k < PIXELS; k++) { // unrolled
                sum[k] += v[k * STRIDE_X + q * DILATION_X] * weight;
            }
        }
    }
    begin(n, group, 0);
    for (int k = 0; k < PIXELS; k++) { // unrolled
        if (run + k < u_y.y) finish(ivec2(run + k, y), sum[k]);
    }
}
