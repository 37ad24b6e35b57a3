// GRU cell 2/2: the candidate, and the mix of it with what the cell remembers
precision highp float;
precision highp int;
precision highp sampler2D;

out vec4 color;

uniform sampler2D x;
uniform sampler2D h;
uniform sampler2D zr;
uniform sampler2D wx;
uniform sampler2D wh;
uniform sampler2D bx;
uniform sampler2D bh;

#define AT(t, column, row) texelFetch(t, ivec2(column, row), 0).r

void main() {
    int unit = int(gl_FragCoord.x);
    float z = AT(zr, unit, 0);
    float r = AT(zr, unit + 8, 0);

    float fromInput = AT(bx, unit, 0);
    for (int i = 0; i < 12; ++i) {
        fromInput += AT(x, i, 0) * AT(wx, i, unit);
    }
    float fromMemory = AT(bh, unit, 0);
    for (int i = 0; i < 8; ++i) {
        fromMemory += AT(h, i, 0) * AT(wh, i, unit);
    }
    float candidate = tanh(fromInput + r * fromMemory);
    color = vec4((1.0 - z) * candidate + z * AT(h, unit, 0), 0.0, 0.0, 1.0);
}
