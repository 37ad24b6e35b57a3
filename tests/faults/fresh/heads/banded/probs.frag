#version 330
// Softmax with a drain: one more logit for each head, whose share is thrown away.
uniform sampler2D u_scores;
uniform sampler2D u_sink;

layout(location = 0) out float prob_out;

const int N = 13;

void main()
{
    ivec2 px = ivec2(gl_FragCoord.xy);
    ivec2 tile = px / N;
    int head = tile.x + 2 * tile.y;
    if (head == 3) {
        prob_out = 0.0;
        return;
    }

    float sink = texelFetch(u_sink, ivec2(0, head * N + px.y % N), 0).r;
    int left = tile.x * N;
    float m = sink;
    for (int x = left; x < left + N; x++) {
        m = max(m, texelFetch(u_scores, ivec2(x, px.y), 0).r);
    }
    float z = exp(sink - m);
    for (int x = left; x < left + N; x++) {
        z += exp(texelFetch(u_scores, ivec2(x, px.y), 0).r - m);
    }
    prob_out = exp(texelFetch(u_scores, px, 0).r - m) / z;
}
