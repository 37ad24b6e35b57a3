// y = Σ over slices of `window_sum.glsl`'s result for each: texel by texel, in the arrangement of the output

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // unused
    ivec4 u_y;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_fragments; // width of the draw, number of slices, unused, rows of texels a slice
    ivec4 u_runs;      // unused
    ivec4 u_origins;   // unused
    ivec4 u_stores[MAX_STORES];
    vec4 u_texel;      // 1 / width and height of the slices in texels
};

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 place = at % u_y.yx;
    ivec2 cell = at / u_y.yx;
    int tile = cell.y * u_y.z + cell.x;
    if (tile >= BATCH * u_y.w) discard;
    vec4 sum = vec4(0.0);
    for (int slice = 0; slice < u_fragments.y; slice++) {
        sum += textureLod(t_X, (vec2(at.x, at.y + slice * u_fragments.w) + 0.5) * u_texel.xy, 0.0);
    }
    begin(tile / u_y.w, tile % u_y.w, 0);
    finish(place, sum);
}
