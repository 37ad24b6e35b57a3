#version 330
// choice[b, j] = exp(s[b, j] - m[b]) / sum_k exp(s[b, k] - m[b]), s = h' V + c, m the largest of a row

uniform sampler2D t_state;
uniform sampler2D t_V;
uniform sampler2D t_c;
uniform int u_hidden;
uniform int u_choices;

out float share;

float score(int j, int b) {
    float sum = texelFetch(t_c, ivec2(j, 0), 0).r;
    for (int k = 0; k < u_hidden; ++k) {
        sum += texelFetch(t_state, ivec2(k, b), 0).r * texelFetch(t_V, ivec2(j, k), 0).r;
    }
    return sum;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);

    float largest = score(0, at.y);
    for (int j = 1; j < u_choices; ++j) {
        largest = max(largest, score(j, at.y));
    }

    float total = 0.0;
    for (int j = 0; j < u_choices; ++j) {
        total += exp(score(j, at.y) - largest);
    }

    share = exp(score(at.x, at.y) - largest) / total;
}
