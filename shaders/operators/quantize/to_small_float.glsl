// QuantizeLinear to a float of 4 or 8 bits: y = the nearest to x / scale + zero

float compute(ivec4 at) {
    int which = scale_of(Y_index(at));
    return unary(quotient(X(at), SCALE_linear(which)) + zero_point(which));
}
