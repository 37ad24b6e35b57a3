// Erf: y = 2/√π ∫₀ˣ e^(−t²) dt

float unary(float x) {
    return erf(x);
}
