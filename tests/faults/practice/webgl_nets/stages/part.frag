#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// First step of the convolution: the sum over input channels 0 to 7.
uniform sampler2D u_x;
uniform sampler2D u_kernels;
uniform ivec2 u_size;

out vec4 o_part;

vec4 kernel(int o, int block, ivec2 tap) {
    int number = 2 * o + block;
    return texelFetch(u_kernels, ivec2(number & 3, number >> 2) * 3 + tap, 0);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int o = texel.x / u_size.x * 4;
    ivec2 here = ivec2(texel.x % u_size.x, texel.y);

    vec4 sum = vec4(0);
    for (int block = 0; block < 2; ++block) {
        for (int t = 0; t < 9; ++t) {
            ivec2 tap = ivec2(t % 3, t / 3);
            ivec2 at = here + tap - 1;
            if (at.x < 0 || at.y < 0 || at.x >= u_size.x || at.y >= u_size.y) continue;
            vec4 x = texelFetch(u_x, at + ivec2(block * u_size.x, 0), 0);
            sum += vec4(dot(x, kernel(o, block, tap)), dot(x, kernel(o + 1, block, tap)),
                        dot(x, kernel(o + 2, block, tap)), dot(x, kernel(o + 3, block, tap)));
        }
    }
    o_part = sum;
}
