#version 330 core
// Softmax over the channels of a pixel, all of them in channel tiles.

uniform sampler2D t_x;
uniform ivec2 u_tile;
uniform int u_columns;
uniform int u_channels;

out float probability;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 pixel = here % u_tile;
    float top = -1e30;
    for (int c = 0; c < u_channels; c++)
        top = max(top, texelFetch(t_x, ivec2(c % u_columns, c / u_columns) * u_tile + pixel, 0).r);
    float total = 0.0;
    for (int c = 0; c < u_channels; c++)
        total += exp(texelFetch(t_x, ivec2(c % u_columns, c / u_columns) * u_tile + pixel, 0).r - top);
    probability = exp(texelFetch(t_x, here, 0).r - top) / total;
}
