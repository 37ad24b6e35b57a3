// y = min(max(x, low), high), NaN kept;  x in the lane and texel of y

float compute_here(int lane) {
#ifdef HAS_LOW
    float low = LOW_here(lane);
#else
    float low = LOWEST;
#endif
#ifdef HAS_HIGH
    float high = HIGH_here(lane);
#else
    float high = HIGHEST;
#endif
    return lesser_of(greater_of(X_here(lane), low), high);
}
