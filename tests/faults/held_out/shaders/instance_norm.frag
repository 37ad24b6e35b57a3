#version 330 core
// Instance normalisation over channel tiles: mean, then variance about it, then this texel.

uniform sampler2D t_x;
uniform sampler2D t_scale;
uniform sampler2D t_bias;
uniform ivec2 u_tile;
uniform int u_columns;

const float EPSILON = 0.001;

out float y;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / u_tile;
    ivec2 corner = tile * u_tile;
    int channel = tile.y * u_columns + tile.x;
    float count = float(u_tile.x * u_tile.y);

    float mean = 0.0;
    for (int v = 0; v < u_tile.y; v++)
        for (int u = 0; u < u_tile.x; u++)
            mean += texelFetch(t_x, corner + ivec2(u, v), 0).r;
    mean /= count;

    float variance = 0.0;
    for (int v = 0; v < u_tile.y; v++)
        for (int u = 0; u < u_tile.x; u++) {
            float distance = texelFetch(t_x, corner + ivec2(u, v), 0).r - mean;
            variance += distance * distance;
        }
    variance /= count;

    float scale = texelFetch(t_scale, ivec2(channel, 0), 0).r;
    float bias = texelFetch(t_bias, ivec2(channel, 0), 0).r;
    float x = texelFetch(t_x, here, 0).r;
    y = (x - mean) * inversesqrt(variance + EPSILON) * scale + bias;
}
