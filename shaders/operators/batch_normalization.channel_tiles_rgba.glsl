// y[n,c,i] = (x[n,c,i] − mean[c]) · scale[c] / √(variance[c] + ε) + bias[c]
//
// Four channels at a time.

vec4 compute4(ivec4 at) {
    int group = at.y / 4;
    vec4 factor = SCALE_four(group) / sqrt(VARIANCE_four(group) + EPSILON);
    return (X_group(at.x, group, at.z, at.w) - MEAN_four(group)) * factor + BIAS_four(group);
}
