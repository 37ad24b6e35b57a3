#version 430
// y = x / (bias + alpha / window * sum of squares of the channels around)^beta
#include "tiles.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D u_image;
layout(std430) writeonly buffer Result { float result[]; };
uniform ivec2 u_size;
uniform int u_columns, u_channels, u_window;
uniform float u_alpha, u_beta, u_bias;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(at.xy, u_size))) return;

    int half_window = u_window / 2;
    float squares = 0.0;
    for (int c = max(at.z - half_window, 0); c <= min(at.z + half_window, u_channels - 1); ++c) {
        float v = texelFetch(u_image, corner(c, u_columns, u_size) + at.xy, 0).r;
        squares += v * v;
    }

    float own = texelFetch(u_image, corner(at.z, u_columns, u_size) + at.xy, 0).r;
    float divisor = pow(u_bias + u_alpha / float(u_window) * squares, u_beta);
    result[(at.z * u_size.y + at.y) * u_size.x + at.x] = own / divisor;
}
