// ReduceSum: y = Σ_k x_k
//
// Four elements at a time: the summed elements fill whole texels.

float compute(ivec4 at) {
    int first = first_of(Y_index(at)) / 4;
    vec4 sum = vec4(0.0);
    for (int k = 0; k < REDUCED_COUNT / 4; k++) sum += X_four(first + k);
    return (sum.x + sum.y) + (sum.z + sum.w);
}
