#version 330
// Second pass: (x - mean) * rstd * gamma + beta, and hard swish

uniform sampler2D t_x;
uniform sampler2D t_mean;
uniform sampler2D t_rstd;
uniform sampler2D t_gamma;
uniform sampler2D t_beta;
uniform ivec2 u_size;
uniform int u_columns;

out vec4 o_y;

vec4 hardswish(vec4 x) {
    return x * clamp(x / 6.0 + 0.5, 0.0, 1.0);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 tile = at / u_size;
    int group = tile.y * u_columns + tile.x;
    ivec2 stat = ivec2(group, 0);

    vec4 x = texelFetch(t_x, at, 0);
    vec4 mean = texelFetch(t_mean, stat, 0);
    vec4 rstd = texelFetch(t_rstd, stat, 0);
    vec4 gamma = texelFetch(t_gamma, stat, 0);
    vec4 beta = texelFetch(t_beta, stat, 0);
    vec4 scale = rstd * gamma;
    vec4 shift = beta - mean * scale;
    o_y = hardswish(x * scale + shift);
}
