// y[n,c,h,w] = x[n, c, ⌊h·H / H'⌋, ⌊w·W / W'⌋]  for x of H, W and y of H', W'
//
// Four channels at a time.

vec4 compute4(ivec4 at) {
    ivec2 from = at.zw * X_shape.zw / Y_shape.zw;
    return X_group(at.x, at.y / 4, from.x, from.y);
}
