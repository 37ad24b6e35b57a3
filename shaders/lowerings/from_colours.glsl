// y of the sums that `window_sum.glsl` kept as colours: texel by texel, in the arrangement of a stored tensor

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // unused
    ivec4 u_y;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_fragments; // width of the draw that kept the sums, slices
    ivec4 u_runs;      // rows and runs of a parity, t along y and x
    ivec4 u_origins;   // unused
    ivec4 u_stores[MAX_STORES];
    vec4 u_texel;      // unused
};

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 cell = at / u_y.yx;
    ivec2 place = at - cell * u_y.yx;
    int tile = cell.y * u_stores[0].x + cell.x;
    int n = tile / u_stores[0].y;
    int group = tile - n * u_stores[0].y - u_stores[0].z;
    if (cell.x >= u_stores[0].x || n >= BATCH || group < 0 || group >= u_y.w) discard;
    int y = place.y / u_runs.z;
    int x = place.x / u_runs.w;
    int parity = (place.y - y * u_runs.z) * u_runs.w + place.x - x * u_runs.w;
    int run = x / PIXELS;
    int block = group / GROUPS;
    int blocks = (u_y.w + GROUPS - 1) / GROUPS;
    int colour = (group - block * GROUPS) * PIXELS + x - run * PIXELS;
    int fragment = (((n * PARITIES + parity) * blocks + block) * u_runs.x + y) * u_runs.y + run;
    int step = BATCH * PARITIES * blocks * u_runs.x * u_runs.y;
    vec4 sum = vec4(0.0);
    for (int slice = 0; slice < u_fragments.y; slice++) {
        sum += texelFetch(t_X, ivec3(fragment % u_fragments.x, fragment / u_fragments.x, colour), 0);
        fragment += step;
    }
    begin(n, group, 0);
    finish(place, sum);
}
