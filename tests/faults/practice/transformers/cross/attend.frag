#version 330
// context[i, h * d_head + d] = sum_j softmax_j(scores[h, i, j]) * v[h, j, d]

uniform sampler2D t_scores;
uniform sampler2D t_v;
uniform int u_keys;
uniform int u_d_head;
out float o_context;

#define S(h, i, j) texelFetch(t_scores, ivec2((h) * u_keys + (j), (i)), 0).r
#define V(h, j, d) texelFetch(t_v, ivec2((h) * u_d_head + (d), (j)), 0).r

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int h = p.x / u_d_head;
    int d = p.x % u_d_head;
    int i = p.y;

    float top = -1e9;
    for (int j = 0; j < u_keys; ++j) top = max(top, S(h, i, j));

    float total = 0.0;
    float sum = 0.0;
    for (int j = 0; j < u_keys; ++j) {
        float e = exp(S(h, i, j) - top);
        total += e;
        sum += e * V(h, j, d);
    }
    o_context = sum / total;
}
