#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Two by two pixels become four channels of 9 each, then a 1x1 to seven: nothing is moved, the reads do it.
uniform sampler2D t_X;      // 9 channels of 10 x 8, three across
uniform sampler2D t_W;      // seven rows of 36
uniform sampler2D t_B;

out vec4 Y;

const ivec2 LARGE = ivec2(10, 8);
const ivec2 SMALL = ivec2(5, 4);

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / SMALL;
    ivec2 p = (here - tile * SMALL) * 2;
    int o = tile.y * 3 + tile.x;
    if (o >= 7) {
        Y = vec4(0.0);
        return;
    }
    float s = texelFetch(t_B, ivec2(o, 0), 0).r;
    for (int c = 0; c < 9; c++) {
        ivec2 corner = ivec2(c % 3, c / 3) * LARGE + p;
        s += texelFetch(t_X, corner, 0).r * texelFetch(t_W, ivec2(c, o), 0).r;
        s += texelFetch(t_X, corner + ivec2(1, 0), 0).r * texelFetch(t_W, ivec2(9 + c, o), 0).r;
        s += texelFetch(t_X, corner + ivec2(0, 1), 0).r * texelFetch(t_W, ivec2(18 + c, o), 0).r;
        s += texelFetch(t_X, corner + ivec2(1, 1), 0).r * texelFetch(t_W, ivec2(27 + c, o), 0).r;
    }
    Y = vec4(s);
}
