#version 330
// y[o, h, w] = max(bias[o] + sum over c, i, j of weight[o, c, i, j] * x[c, h + i - 1, w + j - 1], 0)
// A texture has one channel below the other, weights one filter's kernels below the other: the rows of the tensors.

uniform sampler2D t_image;
uniform sampler2D t_weight;
uniform sampler2D t_bias;
uniform ivec2 u_size;
uniform int u_channels;

out float y;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int o = texel.y / u_size.y, h = texel.y % u_size.y;

    float sum = texelFetch(t_bias, ivec2(o, 0), 0).x;
    for (int c = 0; c < u_channels; c++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                ivec2 from = ivec2(texel.x + j, h + i) - 1;
                if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, u_size))) continue;
                float x = texelFetch(t_image, ivec2(from.x, c * u_size.y + from.y), 0).x;
                sum += texelFetch(t_weight, ivec2(j, (o * u_channels + c) * 3 + i), 0).x * x;
            }
        }
    }

    y = max(sum, 0.0);
}
