// A softmax defines share(x − m, Σ_k exp(x_k − m)), where m is the largest x_k along the axis
//
// Four channels at a time, each with its own sum; along the channels, four terms of one sum.

vec4 compute4(ivec4 at) {
    int places = AXIS == 1 ? (X_shape.y + 3) / 4 : X_shape[AXIS];
    ivec4 from = ivec4(at.x, at.y / 4, at.z, at.w);
    vec4 own = X_group(from.x, from.y, from.z, from.w);

    vec4 most = own;
    for (int k = 0; k < places; k++) {
        from[AXIS] = k;
        vec4 x = X_group(from.x, from.y, from.z, from.w);
        for (int lane = 0; lane < 4; lane++)
            if (AXIS != 1 || 4 * k + lane < X_shape.y) most[lane] = max(most[lane], x[lane]);
    }
    if (AXIS == 1) {
        int channels = X_shape.y - at.y;
        most = vec4(most.x, channels > 1 ? most.y : most.x, channels > 2 ? most.z : most.x, channels > 3 ? most.w : most.x);
        most = vec4(max(max(most.x, most.y), max(most.z, most.w)));
    }

    vec4 sums = vec4(0.0);
    for (int k = 0; k < places; k++) {
        from[AXIS] = k;
        vec4 x = X_group(from.x, from.y, from.z, from.w) - most;
        for (int lane = 0; lane < 4; lane++)
            if (AXIS != 1 || 4 * k + lane < X_shape.y) sums[lane] += exp(x[lane]);
    }
    if (AXIS == 1) sums = vec4((sums.x + sums.y) + (sums.z + sums.w));

    vec4 y = own - most;
    for (int lane = 0; lane < 4; lane++) y[lane] = share(y[lane], sums[lane]);
    return y;
}
