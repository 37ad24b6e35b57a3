// y[n,c,z,y,x] = Σ_{p,q,r} col[n, c·P·Q·R + (p·Q + q)·R + r, l],  l the window that has its tap (p, q, r) there:
// ((z + pad − p·d) / s, (y + pad − q·d) / s, (x + pad − r·d) / s), where the divisions are exact and it is one of L
//
// A picture has one plane, a row one line of it. A tensor of five axes is seen with its first two folded into one, one of
// three with a one before them.

float compute(ivec4 at) {
    int channel = RANK == 3 ? at.x : RANK == 2 ? at.x * CHANNELS + at.y : at.y * CHANNELS + at.z;
    ivec3 padded = (RANK == 3 ? at.yzw : RANK == 2 ? ivec3(0, at.zw) : ivec3(0, 0, at.w)) + ivec3(PADS[0], PADS[1], PADS[2]);
    ivec3 stride = ivec3(STRIDES[0], STRIDES[1], STRIDES[2]);
    ivec3 windows = ivec3(WINDOWS[0], WINDOWS[1], WINDOWS[2]);
    float sum = 0.0;

    for (int p = 0; p < BLOCK[0]; p++) {
        for (int q = 0; q < BLOCK[1]; q++) {
            for (int r = 0; r < BLOCK[2]; r++) {
                ivec3 from = padded - ivec3(p, q, r) * ivec3(DILATIONS[0], DILATIONS[1], DILATIONS[2]);
                if (any(lessThan(from, ivec3(0))) || from % stride != ivec3(0)) continue;
                ivec3 l = from / stride;
                if (any(greaterThanEqual(l, windows))) continue;
                int tap = (p * BLOCK[1] + q) * BLOCK[2] + r;
                int row = (channel % CHANNELS) * BLOCK[0] * BLOCK[1] * BLOCK[2] + tap;
                sum += X(ivec4(0, channel / CHANNELS, row, (l.x * WINDOWS[1] + l.y) * WINDOWS[2] + l.z));
            }
        }
    }
    return sum;
}
