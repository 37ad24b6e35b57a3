// BitwiseXor: bits that differ

float binary(float a, float b) {
    return float(int(a) ^ int(b));
}
