#version 330
// Causal attention in one sweep over the keys; query heads share the keys and values of their group.
uniform sampler2D q;
uniform sampler2D k;
uniform sampler2D v;
uniform int head_dim;
uniform int queries_per_key;
out float y;

float score(int q_base, int k_base, int row, int col) {
    float s = 0.0;
    for (int i = 0; i < head_dim; i++)
        s += texelFetch(q, ivec2(q_base + i, row), 0).x * texelFetch(k, ivec2(k_base + i, col), 0).x;
    return s * inversesqrt(float(head_dim));
}

void main() {
    int feature = int(gl_FragCoord.x), row = int(gl_FragCoord.y);
    int head = feature / head_dim;
    int group = head / queries_per_key;
    int q_base = head * head_dim;
    int k_base = group * head_dim;
    int v_col = k_base + feature - q_base;

    float peak = -1e30, total = 0.0, acc = 0.0;
    for (int col = 0; col <= row; col++) {
        float s = score(q_base, k_base, row, col);
        float new_peak = max(peak, s);
        float shrink = exp(peak - new_peak);
        float p = exp(s - new_peak);
        total = total * shrink + p;
        acc = acc * shrink + p * texelFetch(v, ivec2(v_col, col), 0).x;
        peak = new_peak;
    }
    y = acc / total;
}
