#version 330
// First pass of a softmax over channels: the largest value of each place, and the sum of exp(x - largest)

uniform sampler2D t_x;
uniform ivec2 u_size;
uniform int u_columns;
uniform int u_channels;

layout(location = 0) out float o_max;
layout(location = 1) out float o_sum;

float channel(ivec2 p, int c) {
    int g = c / 4;
    return texelFetch(t_x, ivec2(g % u_columns, g / u_columns) * u_size + p, 0)[c - 4 * g];
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    float largest = channel(p, 0);
    for (int c = 1; c < u_channels; c++) largest = max(largest, channel(p, c));

    float sum = 0.0;
    for (int c = 0; c < u_channels; c++) {
        sum += exp(channel(p, c) - largest);
    }
    o_max = largest;
    o_sum = sum;
}
