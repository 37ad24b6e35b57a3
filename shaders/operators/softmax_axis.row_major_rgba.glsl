// A softmax defines share(x[o,a] − m, Σ_k exp(x[o,k] − m)), where m is the largest of the row
//
// Four elements at a time: rows come in whole texels.

vec4 compute4(ivec4 at) {
    int index = Y_index(at);
    int first = index / AXIS_COUNT * (AXIS_COUNT / 4);

    vec4 most = X_four(first);
    for (int k = 1; k < AXIS_COUNT / 4; k++) most = max(most, X_four(first + k));
    float largest = max(max(most.x, most.y), max(most.z, most.w));

    vec4 sums = vec4(0.0);
    for (int k = 0; k < AXIS_COUNT / 4; k++) sums += exp(X_four(first + k) - largest);
    float sum = (sums.x + sums.y) + (sums.z + sums.w);

    vec4 y = X_four(index / 4) - largest;
    for (int lane = 0; lane < 4; lane++) y[lane] = share(y[lane], sum);
    return y;
}
