// y = min(max(x, low), high), NaN kept

float compute(ivec4 at) {
#ifdef HAS_LOW
    float low = LOW(ivec4(0));
#else
    float low = LOWEST;
#endif
#ifdef HAS_HIGH
    float high = HIGH(ivec4(0));
#else
    float high = HIGHEST;
#endif
    return lesser_of(greater_of(X(at), low), high);
}
