float quotient(float x, float scale) {
    return x / scale;
}
