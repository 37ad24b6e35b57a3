// ReduceMean: y = Σ_k x_k / n
//
// Four channels at a time, over other axes than theirs. A row is added up by itself.

vec4 compute4(ivec4 at) {
    vec4 sum = vec4(0.0);
    for (int n = 0; n < SPANS[0]; n++) {
        for (int y = 0; y < SPANS[2]; y++) {
            vec4 row = vec4(0.0);
            for (int x = 0; x < SPANS[3]; x++) row += X_group(at.x + n, at.y / 4, at.z + y, at.w + x);
            sum += row;
        }
    }
    return sum / float(REDUCED_COUNT);
}
