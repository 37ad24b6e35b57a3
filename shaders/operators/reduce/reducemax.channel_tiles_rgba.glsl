// ReduceMax: y = max_k x_k, NaN if there is one
//
// Four channels at a time, over other axes than theirs.

vec4 compute4(ivec4 at) {
    vec4 most = X_group(at.x, at.y / 4, at.z, at.w);
    for (int n = 0; n < SPANS[0]; n++) {
        for (int y = 0; y < SPANS[2]; y++) {
            for (int x = 0; x < SPANS[3]; x++) {
                vec4 v = X_group(at.x + n, at.y / 4, at.z + y, at.w + x);
                for (int lane = 0; lane < 4; lane++) most[lane] = greater_of(most[lane], v[lane]);
            }
        }
    }
    return most;
}
