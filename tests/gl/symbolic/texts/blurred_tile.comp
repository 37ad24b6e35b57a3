#version 430
// a 5 x 5 mean from a tile with a border of two, in a shared array of vec4
#define R 2
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f) readonly restrict uniform image2D src;
layout(rgba32f) writeonly restrict uniform image2D dst;
const int SIDE = 8 + 2 * R;
shared vec4 tile[SIDE * SIDE];

void load(ivec2 corner, ivec2 size) {
    for (int i = int(gl_LocalInvocationIndex); i < SIDE * SIDE; i += 64) {
        ivec2 at = corner + ivec2(i % SIDE, i / SIDE);
        tile[i] = imageLoad(src, clamp(at, ivec2(0), size - 1));
    }
    barrier();
}

void main() {
    ivec2 size = imageSize(src);
    load(ivec2(gl_WorkGroupID.xy) * 8 - R, size);
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, size))) return;
    vec4 sum = vec4(0);
    for (int dy = 0; dy <= 2 * R; ++dy)
        for (int dx = 0; dx <= 2 * R; ++dx)
            sum += tile[(int(gl_LocalInvocationID.y) + dy) * SIDE + int(gl_LocalInvocationID.x) + dx];
    imageStore(dst, at, sum / 25.);
}
