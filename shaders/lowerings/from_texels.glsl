// y of x texel by texel, in the arrangement of a stored tensor

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // unused
    ivec4 u_y;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_fragments; // unused
    ivec4 u_runs;      // unused
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
    int own = n * u_y.w + group;
    begin(n, group, 0);
    finish(place, texelFetch(t_X, ivec2(own % u_y.z, own / u_y.z) * u_y.yx + place, 0));
}
