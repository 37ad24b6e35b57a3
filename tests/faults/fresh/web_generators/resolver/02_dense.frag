#version 300 es
// 02 dense: conv 3x3 + leaky relu over feat and 01, 12 -> 4. Written by export_glsl.py
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D u_feat;
uniform sampler2D u_dense1;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform ivec2 u_size;
uniform float u_slope;
out vec4 o_color;

mat4 weights(int first, int k) {
    return mat4(texelFetch(u_w, ivec2(first, k), 0),
                texelFetch(u_w, ivec2(first + 1, k), 0),
                texelFetch(u_w, ivec2(first + 2, k), 0),
                texelFetch(u_w, ivec2(first + 3, k), 0));
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec4 r = texelFetch(u_b, ivec2(0), 0);
    for (int ky = 0; ky < 3; ky++) {
        for (int kx = 0; kx < 3; kx++) {
            ivec2 q = p + ivec2(kx, ky) - 1;
            if (q.x < 0 || q.y < 0 || q.x >= u_size.x || q.y >= u_size.y) continue;
            int k = ky * 3 + kx;
            r += weights(0, k) * texelFetch(u_feat, q, 0);
            r += weights(4, k) * texelFetch(u_feat, q + ivec2(u_size.x, 0), 0);
            r += weights(8, k) * texelFetch(u_dense1, q, 0);
        }
    }
    o_color = mix(r, r * u_slope, lessThan(r, vec4(0.0)));
}
