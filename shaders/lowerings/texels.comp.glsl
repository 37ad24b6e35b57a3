// y = x, texel by texel: the finish does all the work

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 cell = at / u_y.yx;
    int tile = cell.y * u_y.z + cell.x;
    if (cell.x >= u_y.z || tile >= u_fragments.x) return;
    begin(tile / u_y.w, tile % u_y.w, 0);
    finish(at - cell * u_y.yx, texelFetch(t_X, at, 0));
}
