#version 330
// i f g o
uniform sampler2D gates, c, pi, pf;
uniform int H;
out float o;
float sg(float v) { return 1. / (1. + exp(-v)); }
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    float cc = texelFetch(c, p, 0).r;
    float i = texelFetch(gates, p, 0).r;
    float f = texelFetch(gates, p + ivec2(H, 0), 0).r;
    float g = texelFetch(gates, p + ivec2(2 * H, 0), 0).r;
    i = sg(i + texelFetch(pi, ivec2(p.x, 0), 0).r * cc);
    f = sg(f + texelFetch(pf, ivec2(p.x, 0), 0).r * cc);
    o = f * cc + i * tanh(g);
}
