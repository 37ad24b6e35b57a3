// y[c] = Σ over images and places of x[n, c, i, j]: a fragment sums four channels into a texel

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;     // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_y;     // width of y in texels, channels, images
    vec4 u_texel;  // 1 / width and height of x in texels
};

layout(location = 0) out vec4 Y;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int group = at.y * u_y.x + at.x;
    vec4 sum = vec4(0.0);
    if (group < u_x.w) {
        for (int n = 0; n < u_y.z; n++) {
            int tile = n * u_x.w + group;
            vec2 corner = vec2(ivec2(tile % u_x.z, tile / u_x.z) * u_x.yx) + 0.5;
            for (int i = 0; i < u_x.x; i++) {
                for (int j = 0; j < u_x.y; j++) {
                    sum += textureLod(t_X, (corner + vec2(j, i)) * u_texel.xy, 0.0);
                }
            }
        }
        sum = mix(sum, vec4(0.0), greaterThanEqual(group * 4 + ivec4(0, 1, 2, 3), ivec4(u_y.y)));
    }
    Y = sum;
}
