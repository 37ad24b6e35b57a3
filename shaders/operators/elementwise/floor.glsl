// Floor: y = ⌊x⌋

float unary(float x) {
    return floor(x);
}
