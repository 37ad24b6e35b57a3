// QuantizeLinear: y = min(max(round(x / scale) + zero, LOWEST), HIGHEST), ties to even

float compute(ivec4 at) {
    int which = scale_of(Y_index(at));
    float steps = roundEven(quotient(X(at), SCALE_linear(which)));
    return clamp(steps + zero_point(which), LOWEST, HIGHEST);
}
