#version 330
// First pass of an instance norm: of each channel its mean, and 1 / sqrt(variance + eps)

uniform sampler2D t_x;
uniform ivec2 u_size;
uniform int u_columns;
uniform float u_eps;

layout(location = 0) out vec4 o_mean;
layout(location = 1) out vec4 o_rstd;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 corner = ivec2(at.x % u_columns, at.y) * u_size;
    float area = float(u_size.x * u_size.y);

    vec4 sum = vec4(0.0);
    for (int y = 0; y < u_size.y; y++)
        for (int x = 0; x < u_size.x; x++)
            sum += texelFetch(t_x, corner + ivec2(x, y), 0);
    vec4 mean = sum / area;

    vec4 spread = vec4(0.0);
    for (int y = 0; y < u_size.y; y++)
        for (int x = 0; x < u_size.x; x++) {
            vec4 d = texelFetch(t_x, corner + ivec2(x, y), 0) - mean;
            spread += d * d;
        }

    o_mean = mean;
    o_rstd = inversesqrt(spread / area + u_eps);
}
