// y[…, r, c] = x[…, r, c] where c − r ≥ diagonal (upper) or ≤ diagonal (lower), else 0

float compute(ivec4 at) {
    int off = at.w - at.z - DIAGONAL;
    return (UPPER ? off >= 0 : off <= 0) ? X(at) : 0.0;
}
