#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Sums along y, by the number of texels.
uniform sampler2D u_rows;
uniform ivec2 u_size;

out vec4 o_pooled;

void main() {
    int block = int(gl_FragCoord.x);
    vec4 sum = vec4(0);
    for (int y = 0; y < u_size.y; ++y) sum += texelFetch(u_rows, ivec2(block, y), 0);
    o_pooled = sum / float(u_size.x * u_size.y);
}
