#version 330
// scores[h, i, j] = q[h, i] . k[h, j] / sqrt(d) + distance_bias[h, j - i + off] + padding[j]

uniform sampler2D t_q;
uniform sampler2D t_k;
uniform sampler2D t_distances;  // a row a head
uniform sampler2D t_padding;    // 0 where a word is, -30 where none is
uniform int u_queries;
uniform int u_keys;
uniform int u_d_head;
out float o_score;

#define Q(h, i, d) texelFetch(t_q, ivec2((h) * u_d_head + (d), (i)), 0).r
#define K(h, j, d) texelFetch(t_k, ivec2((h) * u_d_head + (d), (j)), 0).r

float distanceBias(int h, int i, int j) {
    int bucket = j - i + u_queries - 1;
    return texelFetch(t_distances, ivec2(bucket, h), 0).r;
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int h = p.x / u_keys;
    int j = p.x % u_keys;
    int i = p.y;

    float qk = 0.0;
    for (int d = 0; d < u_d_head; ++d) {
        qk += Q(h, i, d) * K(h, j, d);
    }
    o_score = qk / sqrt(float(u_d_head)) + distanceBias(h, i, j) + texelFetch(t_padding, ivec2(j, 0), 0).r;
}
