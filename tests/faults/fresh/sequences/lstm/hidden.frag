#version 330
uniform sampler2D gates, c1, po;
uniform int H;
out float o;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    float cc = texelFetch(c1, p, 0).r;
    float a = texelFetch(gates, p + ivec2(3 * H, 0), 0).r;
    a += texelFetch(po, ivec2(p.x, 0), 0).r * cc;
    o = tanh(cc) / (1. + exp(-a));
}
