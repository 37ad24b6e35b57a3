// lane of channel c at time t
float sample1(sampler2D t, int c, int cols, int wide, int x) {
    return load(t, c / 4, cols, wide, x)[c % 4];
}
