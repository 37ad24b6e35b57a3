precision highp float;
precision highp int;
precision highp sampler2D;

out vec4 color;

uniform sampler2D signal;
uniform int frames;

void main() {
    int middle = int(gl_FragCoord.x) * 2;
    int channel = int(gl_FragCoord.y);
    int from = max(middle - 1, 0);
    int to = min(middle + 1, frames - 1);
    float total = 0.0;
    for (int t = from; t <= to; ++t) {
        total += texelFetch(signal, ivec2(t, channel), 0).r;
    }
    color = vec4(total / float(to - from + 1), 0.0, 0.0, 1.0);
}
