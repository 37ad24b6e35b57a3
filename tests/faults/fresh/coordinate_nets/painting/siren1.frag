#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D h0;   // four blocks in a row
uniform mat4 W1[16];
uniform vec4 B1[4];
uniform vec2 pic;
out vec4 col;           // four blocks, two by two

void main() {
    ivec2 size = ivec2(pic);
    ivec2 frag = ivec2(gl_FragCoord.xy);
    ivec2 cell = frag / size;
    ivec2 px = frag - cell * size;
    int me = cell.y * 2 + cell.x;

    ivec2 dx = ivec2(size.x, 0);
    vec4 a = texelFetch(h0, px, 0);
    vec4 b = texelFetch(h0, px + dx, 0);
    vec4 c = texelFetch(h0, px + 2 * dx, 0);
    vec4 d = texelFetch(h0, px + 3 * dx, 0);

    int m = me * 4;
    vec4 s = W1[m] * a + W1[m + 1] * b + W1[m + 2] * c + W1[m + 3] * d;
    s = sin(s + B1[me]);

    vec4 self = texelFetch(h0, px + me * dx, 0);
    col = self + s;
}
