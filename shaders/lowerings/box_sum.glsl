// y[n, c, u, v] = Σ_{i<R, j<Q} x[n, c, u − R + 1 + i, v − Q + 1 + j], nothing beyond x; u, i along y and v, j along x

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;     // H, W, columns of the grid of tiles, tiles
    ivec4 u_y;     // the same of the output, whose tiles stand as those of x
    vec4 u_texel;  // 1 / width and height of x in texels
};

layout(location = 0) out vec4 Y;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 cell = at / u_y.yx;
    ivec2 place = at - cell * u_y.yx;
    ivec2 corner = cell * u_x.yx;
    vec4 sum = vec4(0.0);
    if (cell.y * u_y.z + cell.x < u_y.w) {
        for (int i = 0; i < REPEATS_Y; i++) { // unrolled
            for (int j = 0; j < REPEATS_X; j++) { // unrolled
                ivec2 from = place + ivec2(j + 1 - REPEATS_X, i + 1 - REPEATS_Y);
                bool is_there = all(greaterThanEqual(from, ivec2(0))) && all(lessThan(from, u_x.yx));
                vec2 texel = (vec2(corner + clamp(from, ivec2(0), u_x.yx - 1)) + 0.5) * u_texel.xy;
                sum += mix(vec4(0.0), textureLod(t_X, texel, 0.0), bvec4(is_there));
            }
        }
    }
    Y = sum;
}
