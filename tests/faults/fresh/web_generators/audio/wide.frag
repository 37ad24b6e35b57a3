precision highp float;
precision highp int;
precision highp sampler2D;

out vec4 color;

uniform sampler2D signal;
uniform sampler2D taps;
uniform sampler2D bias;
uniform int frames;

const int GROUPS = 2;
const int PER_GROUP = 6;
const int DILATION = 2;
const float SLOPE = 0.1;

void main() {
    ivec2 me = ivec2(gl_FragCoord.xy);
    int firstIn = (me.y / PER_GROUP) * PER_GROUP;
    float s = 0.0;
    for (int i = 0; i < PER_GROUP; ++i) {
        for (int k = 0; k < 3; ++k) {
            int t = me.x + (k - 1) * DILATION;
            if (t < 0 || t >= frames) {
                continue;
            }
            float v = texelFetch(signal, ivec2(t, firstIn + i), 0).r;
            float w = texelFetch(taps, ivec2(k, me.y * PER_GROUP + i), 0).r;
            s += v * w;
        }
    }
    s += texelFetch(bias, ivec2(me.y, 0), 0).r;
    s = s < 0.0 ? s * SLOPE : s;
    color = vec4(s + texelFetch(signal, me, 0).r, 0.0, 0.0, 1.0);
}
