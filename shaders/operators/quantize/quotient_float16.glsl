// Halves are divided as halves: rounded before they are rounded to whole steps
float quotient(float x, float scale) {
    return as_float16(x / scale);
}
