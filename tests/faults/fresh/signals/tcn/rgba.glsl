// Four channels a texel: group g of them is a block `wide` texels wide, blocks in rows of `cols`.

vec4 load(sampler2D t, int g, int cols, int wide, int x) {
    return texelFetch(t, ivec2((g % cols) * wide + x, g / cols), 0);
}

// group g and place x of the fragment's own texel
ivec2 own(int cols, int wide) {
    ivec2 p = ivec2(gl_FragCoord.xy);
    return ivec2(p.y * cols + p.x / wide, p.x % wide);
}

// element i of a tensor that lies four a texel in rows of n texels
float elem(sampler2D t, int i, int n) {
    int q = i >> 2;
    return texelFetch(t, ivec2(q % n, q / n), 0)[i & 3];
}

vec4 sigmoid4(vec4 v) { return 1.0 / (1.0 + exp(-v)); }
