// y[n,c,h,w] = x[n,c,h,w] / (bias + scale · Σ_{p,q} x[n,c,p,q]²)^β,  p from h − before to h − before + window − 1, q likewise
// around w, inside the picture, or, with repeated edges, the nearest element of the picture

float compute(ivec4 at) {
    float sum = 0.0;

    for (int p = 0; p < WINDOW; p++) {
        for (int q = 0; q < WINDOW; q++) {
            ivec2 place = at.zw - BEFORE + ivec2(p, q);
            if (REPEAT_EDGE) place = clamp(place, ivec2(0), X_shape.zw - 1);
            if (any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, X_shape.zw))) continue;
            float x = X(ivec4(at.xy, place));
            sum += x * x;
        }
    }
    return X(at) / power(BIAS + SCALE * sum, BETA);
}
