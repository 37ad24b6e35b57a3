// ReduceMax: y = max_k x_k, NaN if there is one
//
// Four elements at a time: they come in whole texels.

float compute(ivec4 at) {
    int first = first_of(Y_index(at)) / 4;
    float most = X_four(first).x;
    for (int k = 0; k < REDUCED_COUNT / 4; k++) {
        vec4 x = X_four(first + k);
        most = greater_of(most, greater_of(greater_of(x.x, x.y), greater_of(x.z, x.w)));
    }
    return most;
}
