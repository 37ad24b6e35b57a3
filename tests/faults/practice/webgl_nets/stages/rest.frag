#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Second step: input channels 8 and 9, the sum of the first step, the bias, the leaky ReLU.
uniform sampler2D u_x;
uniform sampler2D u_part;
uniform sampler2D u_kernels;
uniform sampler2D u_bias;
uniform ivec2 u_size;

out vec4 o_feat;

vec2 kernel(int o, ivec2 tap) {
    return texelFetch(u_kernels, ivec2(o % 3, o / 3) * 3 + tap, 0).xy;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int block = texel.x / u_size.x;
    int o = block * 4;
    ivec2 here = ivec2(texel.x % u_size.x, texel.y);

    vec4 sum = texelFetch(u_part, texel, 0);
    for (int v = 0; v < 3; ++v) {
        for (int u = 0; u < 3; ++u) {
            ivec2 tap = ivec2(u, v);
            ivec2 at = here + tap - 1;
            if (at != clamp(at, ivec2(0), u_size - 1)) continue;
            vec2 x = texelFetch(u_x, ivec2(at.x, u_size.y + at.y), 0).xy;
            sum.x += dot(x, kernel(o, tap));
            sum.y += dot(x, kernel(o + 1, tap));
            sum.z += dot(x, kernel(o + 2, tap));
            sum.w += dot(x, kernel(o + 3, tap));
        }
    }
    sum += texelFetch(u_bias, ivec2(block, 0), 0);
    o_feat = mix(sum, 0.1 * sum, lessThan(sum, vec4(0)));
}
