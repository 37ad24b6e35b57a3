#version 330 core
// Convolution on 2 x 2 blocks in RGBA: four neighbouring outputs at once, weights one value a texel.

uniform sampler2D t_input;
uniform sampler2D t_weight;
uniform sampler2D t_offset;
uniform ivec3 u_input;     // channels, height, width
uniform ivec3 u_result;
uniform ivec2 u_kernel;    // rows, columns
uniform int u_padding;

out vec4 block;

float fetch_input(int channel, int y, int x) {
    if (uint(y) >= uint(u_input.y) || uint(x) >= uint(u_input.z)) return 0.0;
    int rows = (u_input.y + 1) / 2;
    vec4 quad = texelFetch(t_input, ivec2(x / 2, channel * rows + y / 2), 0);
    return (y % 2 == 0) ? (x % 2 == 0 ? quad.r : quad.g) : (x % 2 == 0 ? quad.b : quad.a);
}

float fetch_weight(int o, int i, int p, int q) {
    return texelFetch(t_weight, ivec2(q, (o * u_input.x + i) * u_kernel.x + p), 0).r;
}

float one(int o, int y, int x) {
    float total = texelFetch(t_offset, ivec2(o, 0), 0).r;
    for (int p = 0; p < u_kernel.x; ++p)
        for (int q = 0; q < u_kernel.y; ++q)
            for (int i = 0; i < u_input.x; ++i)
                total += fetch_input(i, y + p - u_padding, x + q - u_padding) * fetch_weight(o, i, p, q);
    return total;
}

void main() {
    int rows = (u_result.y + 1) / 2;
    int o = int(gl_FragCoord.y) / rows;
    int y = int(gl_FragCoord.y) % rows * 2;
    int x = int(gl_FragCoord.x) * 2;
    block.r = one(o, y, x);
    block.g = one(o, y, x + 1);
    block.b = one(o, y + 1, x);
    block.a = one(o, y + 1, x + 1);
}
