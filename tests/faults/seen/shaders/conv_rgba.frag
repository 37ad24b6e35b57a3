#version 330 core
// Four channels a texel (NC4HW4): each lane of the output is a sum of dot products.

uniform sampler2D u_src;
uniform sampler2D u_kernel;   // one filter a row of tiles of four inputs each, in the same packing
uniform sampler2D u_bias;     // 1 x 1 x 1 x O: lane 0 of O texels
uniform int u_in_groups;
uniform int u_in_columns;
uniform int u_out_columns;
uniform int u_kernel_columns;
uniform int u_out_channels;
uniform ivec2 u_in_size;      // width, height
uniform ivec2 u_out_size;
uniform int u_taps;           // kernel side
uniform int u_step;
uniform int u_margin;

out vec4 result;

vec4 image(int group, ivec2 p) {
    if (p.x < 0 || p.y < 0 || p.x >= u_in_size.x || p.y >= u_in_size.y) return vec4(0.0);
    ivec2 corner = ivec2(group % u_in_columns, group / u_in_columns) * u_in_size;
    return texelFetch(u_src, corner + p, 0);
}

vec4 kernel(int feature, int group, ivec2 k) {
    int tile = feature * u_in_groups + group;
    ivec2 corner = ivec2(tile % u_kernel_columns, tile / u_kernel_columns) * u_taps;
    return texelFetch(u_kernel, corner + k, 0);
}

float convolve(int feature, ivec2 p) {
    float sum = 0.0;
    for (int g = 0; g < u_in_groups; g++)
        for (int ky = 0; ky < u_taps; ky++)
            for (int kx = 0; kx < u_taps; kx++) {
                ivec2 k = ivec2(kx, ky);
                sum += dot(image(g, p * u_step - u_margin + k), kernel(feature, g, k));
            }
    return sum;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / u_out_size;
    ivec2 p = texel - tile * u_out_size;
    int group = tile.y * u_out_columns + tile.x;

    vec4 total = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int feature = group * 4 + lane;
        if (feature >= u_out_channels) break;
        float bias = texelFetch(u_bias, ivec2(feature, 0), 0).r;
        total[lane] = convolve(feature, p) + bias;
    }
    result = total;
}
