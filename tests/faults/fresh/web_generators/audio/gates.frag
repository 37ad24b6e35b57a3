// GRU cell 1/2: the update gates (columns 0 to 7), then the reset gates (8 to 15)
precision highp float;
precision highp int;
precision highp sampler2D;

out vec4 color;

uniform sampler2D x;
uniform sampler2D h;
uniform sampler2D wx;
uniform sampler2D wh;
uniform sampler2D b;

float sigmoid(float a) {
    return 1.0 / (1.0 + exp(-a));
}

void main() {
    int gate = int(gl_FragCoord.x);
    float a = texelFetch(b, ivec2(gate, 0), 0).r;
    for (int i = 0; i < 12; ++i) {
        a += texelFetch(wx, ivec2(i, gate), 0).r * texelFetch(x, ivec2(i, 0), 0).r;
    }
    for (int i = 0; i < 8; ++i) {
        a += texelFetch(wh, ivec2(i, gate), 0).r * texelFetch(h, ivec2(i, 0), 0).r;
    }
    color = vec4(sigmoid(a), 0.0, 0.0, 1.0);
}
