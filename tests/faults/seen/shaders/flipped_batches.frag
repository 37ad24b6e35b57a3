#version 300 es
// y[n, c] = -x[N - 1 - n, c], four channels in a texel.
precision highp float;
precision highp sampler2D;

uniform sampler2D t_x;
uniform ivec2 u_size;
uniform int u_columns, u_batch, u_channels;

out vec4 color;

float element(int n, int c, ivec2 at) {
    int k = n * ((u_channels + 3) / 4 * 4) + c;
    ivec2 tile = ivec2(k / 4 % u_columns, k / 4 / u_columns);
    return texelFetch(t_x, tile * u_size + at, 0)[k % 4];
}

void main() {
    ivec2 px = ivec2(gl_FragCoord.xy), at = px % u_size;
    int tile = px.x / u_size.x + px.y / u_size.y * u_columns, groups = (u_channels + 3) / 4;
    color = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int c = tile % groups * 4 + lane;
        if (c < u_channels) color[lane] = -element(u_batch - 1 - tile / groups, c, at);
    }
}
