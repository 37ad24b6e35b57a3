#version 330
// 1x1 convolution; the weights of output o lie in tiles of one texel, o * u_groups + g

uniform sampler2D t_x;
uniform sampler2D t_weight;
uniform sampler2D t_bias;
uniform ivec2 u_size;
uniform ivec3 u_columns;  // of input, output, weights
uniform int u_groups;
uniform int u_outputs;

out vec4 o_y;

vec4 weights(int o, int g) {
    int t = o * u_groups + g;
    return texelFetch(t_weight, ivec2(t % u_columns.z, t / u_columns.z), 0);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 tile = at / u_size;
    ivec2 p = at - tile * u_size;
    int og = tile.y * u_columns.y + tile.x;

    vec4 y = texelFetch(t_bias, ivec2(og, 0), 0);
    for (int g = 0; g < u_groups; g++) {
        vec4 x = texelFetch(t_x, ivec2(g % u_columns.x, g / u_columns.x) * u_size + p, 0);
        for (int l = 0; l < 4; l++) {
            int o = og * 4 + l;
            if (o < u_outputs) y[l] += dot(weights(o, g), x);
        }
    }
    o_y = y;
}
