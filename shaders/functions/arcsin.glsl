// sin⁻¹ x = x + x³·P(x²) up to ½, above that π/2 − 2·sin⁻¹ √((1 − x)/2); coefficients: Cephes, asinf. NaN beyond ±1.
float arcsin(float x) {
    float size = abs(x);
    if (size > 1.0) return uintBitsToFloat(0x7fc00000u);
    bool far = size > 0.5;
    float s = far ? 0.5 * (1.0 - size) : size * size;
    float r = far ? sqrt(s) : size;
    float p = 4.2163199048e-2;
    p = p * s + 2.4181311049e-2;
    p = p * s + 4.5470025998e-2;
    p = p * s + 7.4953002686e-2;
    p = p * s + 1.6666752422e-1;
    float y = p * s * r + r;
    if (far) y = 1.570796327 - 2.0 * y;
    return x < 0.0 ? -y : y;
}
