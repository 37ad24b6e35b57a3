// y[n,c,o] = x[n,c,p] for the last p whose index is that of o in the unpooled tensor, 0 where there is none
//
// Only those p are asked whose window o lies in. Axes are z, y, x; a picture has one plane. A tensor of five axes is seen
// with its first two folded into one.

float compute(ivec4 at) {
    ivec3 place = SOLID ? at.yzw : ivec3(0, at.zw);
    if (any(greaterThanEqual(place, ivec3(UNPOOLED[0], UNPOOLED[1], UNPOOLED[2])))) return 0.0;
    int channel = SOLID ? at.x : at.x * X_shape.y + at.y;
    int wanted = ((channel * UNPOOLED[0] + place.x) * UNPOOLED[1] + place.y) * UNPOOLED[2] + place.z;

    ivec3 stride = ivec3(STRIDES[0], STRIDES[1], STRIDES[2]);
    ivec3 padded = place + ivec3(PADS[0], PADS[1], PADS[2]);
    ivec3 pooled = SOLID ? X_shape.yzw : ivec3(1, X_shape.zw);
    // The first window that reaches up to here, and the last one that has begun.
    ivec3 first = max((padded - ivec3(KERNEL[0], KERNEL[1], KERNEL[2]) + stride) / stride, ivec3(0));
    ivec3 last = min(padded / stride, pooled - 1);
    float y = 0.0;

    for (int i = first.x; i <= last.x; i++) {
        for (int j = first.y; j <= last.y; j++) {
            for (int k = first.z; k <= last.z; k++) {
                ivec4 from = SOLID ? ivec4(at.x, i, j, k) : ivec4(at.xy, j, k);
                if (int(I(from)) == wanted) y = X(from);
            }
        }
    }
    return y;
}
