#version 330 core
// 1x1 convolution: four outputs from four inputs by a matrix whose columns are filters.

uniform sampler2D t_x;
uniform sampler2D t_w;
uniform sampler2D t_b;
uniform ivec2 u_size;        // width, height
uniform int u_groups;        // of four inputs
uniform ivec3 u_columns;     // of tiles: x, w, y

out vec4 y;

ivec2 corner(int tile, int columns) {
    return ivec2(tile % columns, tile / columns);
}

vec4 weights(int o, int g) {
    return texelFetch(t_w, corner(o * u_groups + g, u_columns.y), 0);
}

float bias(int o) {
    return texelFetch(t_b, ivec2(o, 0), 0).r;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / u_size;
    ivec2 p = texel - tile * u_size;
    int o = 4 * (tile.y * u_columns.z + tile.x);

    vec4 sum = vec4(bias(o), bias(o + 1), bias(o + 2), bias(o + 3));
    for (int g = 0; g < u_groups; g++) {
        vec4 v = texelFetch(t_x, corner(g, u_columns.x) * u_size + p, 0);
        mat4 filters = mat4(weights(o, g), weights(o + 1, g), weights(o + 2, g), weights(o + 3, g));
        sum += v * filters;
    }
    y = sum;
}
