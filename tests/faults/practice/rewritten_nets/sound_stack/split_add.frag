#version 330 core
// As before, with what earlier layers let past.
uniform sampler2D t_GATED;
uniform sampler2D t_STREAM;
uniform sampler2D t_PAST;
uniform sampler2D t_WR;
uniform sampler2D t_BR;
uniform sampler2D t_WS;
uniform sampler2D t_BS;

layout(location = 0) out float on;
layout(location = 1) out float past;

vec2 layers(int t, int o) {
    vec2 rs = vec2(texelFetch(t_BR, ivec2(o, 0), 0).r, texelFetch(t_BS, ivec2(o, 0), 0).r);
    for (int i = 0; i < 6; i++) {
        vec2 w = vec2(texelFetch(t_WR, ivec2(i, o), 0).r, texelFetch(t_WS, ivec2(i, o), 0).r);
        rs += texelFetch(t_GATED, ivec2(t, i), 0).r * w;
    }
    return rs;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec2 rs = layers(here.x, here.y);
    on = rs.x + texelFetch(t_STREAM, here, 0).r;
    past = rs.y + texelFetch(t_PAST, here, 0).r;
}
