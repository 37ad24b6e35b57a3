// y[n,c,h,w] = x[⌊n·N / N'⌋, ⌊c·C / C'⌋, ⌊h·H / H'⌋, ⌊w·W / W'⌋]  for x of N, C, H, W and y of N', C', H', W'

float compute(ivec4 at) {
    return X(at * X_shape / Y_shape);
}
