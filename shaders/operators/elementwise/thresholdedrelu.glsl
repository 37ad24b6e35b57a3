// ThresholdedRelu: y = x for x > α, else 0

float unary(float x) {
    return x > ALPHA ? x : 0.0;
}
