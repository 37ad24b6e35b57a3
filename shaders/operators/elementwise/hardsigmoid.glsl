// HardSigmoid: y = min(max(α·x + β, 0), 1)

float unary(float x) {
    float y = ALPHA * x + BETA;
    return is_nan(y) ? y : clamp(y, 0.0, 1.0);
}
