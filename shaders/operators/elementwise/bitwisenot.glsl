// BitwiseNot: y = −x − 1, which is every bit of an integer turned over

float unary(float x) {
    return -x - 1.0;
}
