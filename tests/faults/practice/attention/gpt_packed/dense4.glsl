// Row t of `src` times four rows of `weights`, which hold `quads` texels of four inputs each.
vec4 dense4(sampler2D src, sampler2D weights, int t, int group, int quads) {
    vec4 acc = vec4(0.0);
    for (int q = 0; q < quads; q++) {
        vec4 a = texelFetch(src, ivec2(q, t), 0);
        acc.x += dot(a, texelFetch(weights, ivec2(q, group * 4 + 0), 0));
        acc.y += dot(a, texelFetch(weights, ivec2(q, group * 4 + 1), 0));
        acc.z += dot(a, texelFetch(weights, ivec2(q, group * 4 + 2), 0));
        acc.w += dot(a, texelFetch(weights, ivec2(q, group * 4 + 3), 0));
    }
    return acc;
}
