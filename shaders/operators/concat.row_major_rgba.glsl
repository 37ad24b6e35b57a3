// y[o,a,i] = x_j[o, a − start_j, i]  for the input j with start_j ≤ a < end_j
//
// Four elements at a time: inputs come in whole texels.

vec4 compute4(ivec4 at) {
    int index = Y_index(at);
    int inner = index % INNER_COUNT;
    int a = index / INNER_COUNT % AXIS_COUNT;
    int outer = index / INNER_COUNT / AXIS_COUNT;

    int which = 0;
    int start = 0;
    while (a >= ENDS[which]) start = ENDS[which++];
    int own_count = ENDS[which] - start;
    return X_four_of(which, ((outer * own_count + a - start) * INNER_COUNT + inner) / 4);
}
