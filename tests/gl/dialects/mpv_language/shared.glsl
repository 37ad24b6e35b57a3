// Compute blocks of 8x8 invocations that are read as the driver runs them; they fill shared memory in all ways.

//# two loops
shared float a[10][10];
void hook() {
    ivec2 base = ivec2(gl_WorkGroupID) * 8, xy = ivec2(gl_LocalInvocationID);
    for (int y = xy.y; y < 10; y += 8)
        for (int x = xy.x; x < 10; x += 8)
            a[y][x] = MAIN_tex(MAIN_pt * (vec2(base + ivec2(x, y)) - 0.5)).x;
    barrier();
    float s = a[xy.y][xy.x + 1] - 0.5 * a[xy.y + 2][xy.x + 1];
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(s));
}

//# the invocation's number
shared vec3 a[100];
void hook() {
    ivec2 base = ivec2(gl_WorkGroupID) * ivec2(gl_WorkGroupSize);
    for (uint id = gl_LocalInvocationIndex; id < 100u; id += gl_WorkGroupSize.x * gl_WorkGroupSize.y) {
        uint x = id % 10u, y = id / 10u;
        vec3 texel = MAIN_tex(MAIN_pt * (vec2(base) + vec2(float(x) - 0.5, float(y) - 0.5))).rgb;
        texel = max(texel, 0.25);
        a[id] = texel.bgr;
    }
    barrier();
    uint p = gl_LocalInvocationID.y * 10u + gl_LocalInvocationID.x;
    vec3 s = 0.25 * a[p] + 0.5 * a[p + 11u] + 0.25 * a[p + 22u];
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(s, 1.0));
}

//# a name that changes behind the loop
shared float a[64];
float own(float base) {
    return a[int(gl_LocalInvocationIndex)] + base;
}
void hook() {
    vec2 base = vec2(gl_WorkGroupID.xy) * 8.0 + 0.5;
    for (int i = int(gl_LocalInvocationIndex); i < 64; i += 64)
        a[i] = MAIN_tex(MAIN_pt * (base + vec2(i % 8, i / 8))).y;
    barrier();
    base += 100.0;
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(own(2.0)));
}

//# guards
shared float a[64];
void hook() {
    vec2 base = vec2(gl_WorkGroupID.xy) * 8.0 + 0.5;
    int id = int(gl_LocalInvocationIndex);
    for (int i = 0; i < 128; i += 64) {
        int at = id + i;
        if (at >= 64) break;
        if (at < 64) a[at] = 2.0 * MAIN_tex(MAIN_pt * (base + vec2(at % 8, at / 8))).y;
    }
    barrier();
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(a[id]));
}

//# a function that fills, twice
shared vec4 a[8][8];
vec4 texel(ivec2 at) { return MAIN_tex(MAIN_pt * (vec2(at) + 0.5)); }
void fill(float factor) {
    for (int y = 0; y < 8; y += 8)
        for (int x = 0; x < 8; x += 8) {
            ivec2 at = ivec2(gl_LocalInvocationID) + ivec2(x, y);
            a[at.y][at.x] = factor * texel(ivec2(gl_WorkGroupID) * 8 + at);
        }
}
void hook() {
    ivec2 xy = ivec2(gl_LocalInvocationID);
    fill(1.0);
    barrier();
    vec4 first = a[xy.y][xy.x];
    barrier();
    fill(3.0);
    barrier();
    imageStore(out_image, ivec2(gl_GlobalInvocationID), first - a[xy.y][xy.x]);
}
