#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Sums along x, three texels at a time.
uniform sampler2D u_mix;
uniform ivec2 u_size;

out vec4 o_rows;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int from = texel.x * u_size.x;
    vec4 sum = vec4(0);
    for (int x = 0; x < u_size.x; x += 3) {
        sum += texelFetch(u_mix, ivec2(from + x, texel.y), 0);
        sum += texelFetch(u_mix, ivec2(from + x + 1, texel.y), 0);
        sum += texelFetch(u_mix, ivec2(from + x + 2, texel.y), 0);
    }
    o_rows = sum;
}
