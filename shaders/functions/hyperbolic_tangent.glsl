// tanh x = 1 − 2 / (e^2x + 1); near zero, where that cancels, x + x³·P(x²) (Cephes, tanhf)

float hyperbolic_tangent(float x) {
    float size = abs(x);
    if (size < 0.625) {
        float s = x * x;
        float p = (((-5.70498872745e-3 * s + 2.06390887954e-2) * s - 5.37397155531e-2) * s + 1.33314422036e-1) * s;
        return x + x * s * (p - 3.33332819422e-1);
    }
    float y = 1.0 - 2.0 / (exp(2.0 * size) + 1.0);
    return x < 0.0 ? -y : y;
}
