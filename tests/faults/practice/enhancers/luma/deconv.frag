#version 330 core

uniform sampler2D u_expand;
uniform sampler2D u_kernel;

out float deconv;

const int W = 12, H = 9;
const int K = 5, PAD = 2;

vec4 kernel(int group, int ky, int kx) {
    int row = group * 4 * K + ky;
    return vec4(
        texelFetch(u_kernel, ivec2(kx, row), 0).r,
        texelFetch(u_kernel, ivec2(kx, row + K), 0).r,
        texelFetch(u_kernel, ivec2(kx, row + 2 * K), 0).r,
        texelFetch(u_kernel, ivec2(kx, row + 3 * K), 0).r
    );
}

void main() {
    ivec2 o = ivec2(gl_FragCoord.xy);
    float sum = 0.1384;
    for (int ky = 0; ky < K; ++ky) {
        int ty = o.y + PAD - ky;
        if (ty < 0 || ty % 2 != 0 || ty / 2 >= H) continue;
        for (int kx = 0; kx < K; ++kx) {
            int tx = o.x + PAD - kx;
            if (tx < 0 || tx % 2 != 0 || tx / 2 >= W) continue;
            ivec2 from = ivec2(tx, ty) / 2;
            sum += dot(texelFetch(u_expand, from, 0), kernel(0, ky, kx));
            sum += dot(texelFetch(u_expand, from + ivec2(W, 0), 0), kernel(1, ky, kx));
        }
    }
    deconv = sum;
}
