#version 330
uniform sampler2D FEATURE, WEIGHT, BIAS;
uniform float gain;
out float r;

#define F(c, p) texelFetch(FEATURE, ivec2((c) % IN_COLS, (c) / IN_COLS) * ivec2(GW, GH) + (p), 0).r
#define W(o, c) texelFetch(WEIGHT, ivec2(c, o), 0).r
#define B(o) texelFetch(BIAS, ivec2(o, 0), 0).r

void main() {
    ivec2 t = ivec2(gl_FragCoord.xy), p = t % ivec2(GW, GH), q = t / ivec2(GW, GH);
    int o = q.x + COLS * q.y;
    r = 0.0;
    for (int c = 0; c < IN; ++c) r += W(o, c) * F(c, p);
    r = gain * r + B(o);
}
