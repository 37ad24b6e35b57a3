#version 330 core
// Two layers of one input: what goes on to the next, and what goes past all of them.
uniform sampler2D t_GATED;
uniform sampler2D t_STREAM;
uniform sampler2D t_WR;
uniform sampler2D t_BR;
uniform sampler2D t_WS;
uniform sampler2D t_BS;

layout(location = 0) out float on;
layout(location = 1) out float past;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int t = here.x, o = here.y;
    float r = 0.0, s = 0.0;
    for (int i = 0; i < 6; i++) {
        float g = texelFetch(t_GATED, ivec2(t, i), 0).r;
        r += g * texelFetch(t_WR, ivec2(i, o), 0).r;
        s += g * texelFetch(t_WS, ivec2(i, o), 0).r;
    }
    r += texelFetch(t_BR, ivec2(o, 0), 0).r;
    on = r + texelFetch(t_STREAM, here, 0).r;
    past = s + texelFetch(t_BS, ivec2(o, 0), 0).r;
}
