// DequantizeLinear: y = (x − zero) · scale

float compute(ivec4 at) {
    int which = scale_of(Y_index(at));
    return (X(at) - zero_point(which)) * SCALE_linear(which);
}
