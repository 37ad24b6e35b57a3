// y[n,o,y,x] = b[o] + Σ_{c,p,q} m[n,k,y,x] · w[o,c,p,q] · x[n, c, y·s − pad + p·d + f[n,2k,y,x], x·s − pad + q·d + f[n,2k+1,y,x]]
// between its four neighbours, zero outside;  k = (c div C') · P · Q + p · Q + q for C' channels an offset group; without
// m, m = 1

float neighbour(ivec2 image, ivec2 place) {
    bool inside = all(greaterThanEqual(place, ivec2(0))) && all(lessThan(place, X_shape.zw));
    return inside ? X(ivec4(image, place)) : 0.0;
}

float between(ivec2 image, vec2 place) {
    ivec2 corner = ivec2(floor(place));
    vec2 share = place - floor(place);
    float above = mix(neighbour(image, corner), neighbour(image, corner + ivec2(0, 1)), share.y);
    float below = mix(neighbour(image, corner + ivec2(1, 0)), neighbour(image, corner + ivec2(1, 1)), share.y);
    return mix(above, below, share.x);
}

float compute(ivec4 at) {
    int first = at.y / OUTPUTS_PER_GROUP * CHANNELS_PER_GROUP;
    ivec2 origin = at.zw * ivec2(STRIDE_Y, STRIDE_X) - ivec2(PAD_TOP, PAD_LEFT);
    float sum = 0.0;

    for (int i = 0; i < CHANNELS_PER_GROUP; i++) {
        for (int p = 0; p < KERNEL_Y; p++) {
            for (int q = 0; q < KERNEL_X; q++) {
                int k = ((first + i) / CHANNELS_PER_OFFSET_GROUP * KERNEL_Y + p) * KERNEL_X + q;
                vec2 offset = vec2(F(ivec4(at.x, 2 * k, at.zw)), F(ivec4(at.x, 2 * k + 1, at.zw)));
                vec2 place = vec2(origin + ivec2(p * DILATION_Y, q * DILATION_X)) + offset;
                float value = W(ivec4(at.y, i, p, q)) * between(ivec2(at.x, first + i), place);
#ifdef HAS_M
                value *= M(ivec4(at.x, k, at.zw));
#endif
                sum += value;
            }
        }
    }
#ifdef HAS_B
    sum += B(ivec4(0, 0, 0, at.y));
#endif
    return sum;
}
