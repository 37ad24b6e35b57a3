const mat4 EDGE = mat4(0.5, -0.2, 0.1, 0.0, -0.1, 0.4, 0.3, 0.0, 0.2, 0.1, -0.6, 0.0, 0.0, 0.0, 0.0, 1.0);
vec4 around(sampler2D from, ivec2 at, vec2 size) {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 9; i++) {
        ivec2 p = at + ivec2(i % 3 - 1, i / 3 - 1);
        if (all(greaterThanEqual(p, ivec2(0))) && all(lessThan(vec2(p), size))) sum += texelFetch(from, p, 0);
    }
    return sum / 9.0;
}
