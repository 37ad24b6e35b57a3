// tan⁻¹ x: reduced to |x| ≤ tan π/8, then x + x³·P(x²); coefficients: Cephes, atanf
float arctan(float x) {
    float size = abs(x);
    float base = 0.0;
    float r = size;
    if (size > 2.414213562) {
        base = 1.570796327;
        r = -1.0 / size;
    } else if (size > 0.4142135624) {
        base = 0.7853981634;
        r = (size - 1.0) / (size + 1.0);
    }
    float s = r * r;
    float p = ((8.05374449538e-2 * s - 1.38776856032e-1) * s + 1.99777106478e-1) * s - 3.33329491539e-1;
    float y = base + (p * s * r + r);
    return x < 0.0 ? -y : y;
}
