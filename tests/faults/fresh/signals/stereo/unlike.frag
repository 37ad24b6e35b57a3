#version 300 es
precision highp float;
precision highp sampler2D;
// 0.85 (1 - SSIM) / 2 + 0.15 |difference|, means over the three channels; SSIM of windows of 3x3, borders repeated.

in vec2 uv;
uniform sampler2D left;
uniform sampler2D seen;
uniform vec2 texel_size;
uniform float c1;
uniform float c2;
out float unlike;

void main() {
    vec3 ma = vec3(0.0), mb = vec3(0.0), aa = vec3(0.0), bb = vec3(0.0), ab = vec3(0.0);
    for (float y = -1.0; y <= 1.0; y += 1.0) {
        for (float x = -1.0; x <= 1.0; x += 1.0) {
            vec2 place = uv + vec2(x, y) * texel_size;
            vec3 a = texture(left, place).rgb;
            vec3 b = texture(seen, place).rgb;
            ma += a;
            mb += b;
            aa += a * a;
            bb += b * b;
            ab += a * b;
        }
    }
    ma /= 9.0;
    mb /= 9.0;
    vec3 va = aa / 9.0 - ma * ma;
    vec3 vb = bb / 9.0 - mb * mb;
    vec3 cov = ab / 9.0 - ma * mb;
    vec3 ssim = (2.0 * ma * mb + c1) * (2.0 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
    vec3 l1 = abs(texture(left, uv).rgb - texture(seen, uv).rgb);
    unlike = dot(0.85 * 0.5 * (1.0 - ssim) + 0.15 * l1, vec3(1.0 / 3.0));
}
