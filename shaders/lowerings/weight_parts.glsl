// w = Σ over slices of `weight_sum.glsl`'s result for each: texel by texel, in the arrangement of w

layout(std140, binding = 0) uniform Shape {
    ivec4 u_w;      // taps along y and x, columns of the grid of tiles, tiles
    ivec4 u_slices; // slices, height and width of w in texels
    vec4 u_texel;   // unused
};

layout(location = 0) out vec4 Y;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 cell = at / u_w.yx;
    vec4 sum = vec4(0.0);
    if (cell.y * u_w.z + cell.x < u_w.w) {
        for (int slice = 0; slice < u_slices.x; slice++) {
            sum += texelFetch(t_S, (slice * u_slices.y + at.y) * u_slices.z + at.x);
        }
    }
    Y = sum;
}
