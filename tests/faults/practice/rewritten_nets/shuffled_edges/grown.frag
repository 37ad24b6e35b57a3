#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Each pixel becomes two by two, by four weights of its channel.
uniform sampler2D t_X;      // 7 channels of 5 x 4, three across
uniform sampler2D t_W;      // 7 tiles of 2 x 2, three across
uniform sampler2D t_B;

out vec4 Y;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / ivec2(10, 8);
    int c = tile.y * 3 + tile.x;
    if (c > 6) {
        Y = vec4(0.0);
        return;
    }
    // 10 and 8 are even, so that halving the place in the texture halves the place in the tile
    float a = texelFetch(t_X, here / 2, 0).r;
    float w = texelFetch(t_W, tile * 2 + here % 2, 0).r;
    Y = vec4(a * w + texelFetch(t_B, ivec2(c, 0), 0).r);
}
