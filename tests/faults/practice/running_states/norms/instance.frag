#version 330 core
// y = leaky((x - mean) / sqrt(variance + eps) * scale[c] + shift[c])

uniform sampler2D u_x;
uniform sampler2D u_mean;
uniform sampler2D u_variance;
uniform sampler2D u_scale;
uniform sampler2D u_shift;
uniform int u_cols;
uniform int u_cols_stats;
uniform float u_eps;
out vec4 result;

#include "tiles.glsl"

float leaky(float v) {
    return v >= 0.0 ? v : 0.1 * v;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int tile = tileOf(texel, u_cols);
    ivec2 stat = ivec2(tile % u_cols_stats, tile / u_cols_stats);
    int c = tile % CHANNELS;

    float mean = texelFetch(u_mean, stat, 0).x;
    float variance = texelFetch(u_variance, stat, 0).x;
    float invStd = inversesqrt(variance + u_eps);
    float unit = (texelFetch(u_x, texel, 0).x - mean) * invStd;

    float scale = texelFetch(u_scale, ivec2(0, c), 0).x;
    float shift = texelFetch(u_shift, ivec2(0, c), 0).x;
    result = vec4(leaky(unit * scale + shift), 0.0, 0.0, 1.0);
}
