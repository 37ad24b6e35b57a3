#version 330 core
// batch norm, leaky relu

uniform sampler2D t_x, t_gamma, t_beta, t_mean, t_var;
out float y;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    ivec2 c = ivec2(p.y / 9 * 3 + p.x / 15, 0);
    float m = texelFetch(t_mean, c, 0).r;
    float k = texelFetch(t_gamma, c, 0).r / sqrt(texelFetch(t_var, c, 0).r + 0.02);
    float v = (texelFetch(t_x, p, 0).r - m) * k + texelFetch(t_beta, c, 0).r;
    y = v < 0.0 ? 0.23 * v : v;
}
