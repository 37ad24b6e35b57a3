#version 330
// tokens -> heads: out[h, t, d] = sum_i x[t, i] * W[i, h * d_head + d] + b[h * d_head + d]
// A head is a tile; tiles lie side by side, u_tiles of them in a row of tiles.

uniform sampler2D t_x;
uniform sampler2D t_weight;
uniform sampler2D t_bias;
uniform int u_tokens;
uniform int u_d_model;
uniform int u_d_head;
out float o_head;

#define X(t, i) texelFetch(t_x, ivec2((i), (t)), 0).r
#define W(i, o) texelFetch(t_weight, ivec2((o), (i)), 0).r
#define B(o)    texelFetch(t_bias, ivec2((o), 0), 0).r

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int h = p.x / u_d_head;
    int d = p.x % u_d_head;
    int t = p.y;
    int o = h * u_d_head + d;

    float sum = B(o);
    for (int i = 0; i < u_d_model; ++i) {
        sum += X(t, i) * W(i, o);
    }
    o_head = sum;
}
