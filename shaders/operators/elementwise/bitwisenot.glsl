// BitwiseNot: y = −x − 1, which inverts every bit of an integer

float unary(float x) {
    return -x - 1.0;
}
