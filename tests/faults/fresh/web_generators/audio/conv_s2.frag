precision highp float;
precision highp int;
precision highp sampler2D;

out vec4 color;

uniform sampler2D signal;   // a row per channel, a column per frame
uniform sampler2D taps;     // rows: out * channels + in, columns: the five taps
uniform sampler2D bias;
uniform int frames;
uniform int channels;
uniform int hop;

float frame(int channel, int t) {
    return t < 0 || t >= frames ? 0.0 : texelFetch(signal, ivec2(t, channel), 0).r;
}

void main() {
    int t = int(gl_FragCoord.x) * hop;
    int o = int(gl_FragCoord.y);
    float s = texelFetch(bias, ivec2(o, 0), 0).r;
    for (int i = 0; i < channels; ++i) {
        int row = o * channels + i;
        s += frame(i, t - 2) * texelFetch(taps, ivec2(0, row), 0).r;
        s += frame(i, t - 1) * texelFetch(taps, ivec2(1, row), 0).r;
        s += frame(i, t) * texelFetch(taps, ivec2(2, row), 0).r;
        s += frame(i, t + 1) * texelFetch(taps, ivec2(3, row), 0).r;
        s += frame(i, t + 2) * texelFetch(taps, ivec2(4, row), 0).r;
    }
    color = vec4(s > 0.0 ? s : 0.0, 0.0, 0.0, 1.0);
}
