#version 330 core
// Attention of both heads, rows of N_CTX numbers run on from texel to texel: element = texel * 4 + lane.
uniform sampler2D qkv;
layout(location = 0) out vec4 result;

const int N_CTX = 10;
const int N_HEAD = 2;
const int QUADS = 2;           // texels a head
const int KEY_AT = N_HEAD * QUADS;
const float SCALE = 0.35355339;

float logit(int head, int i, int j) {
    float s = 0.0;
    for (int q = 0; q < QUADS; q++) {
        int col = head * QUADS + q;
        s += dot(texelFetch(qkv, ivec2(col, i), 0), texelFetch(qkv, ivec2(KEY_AT + col, j), 0));
    }
    return s * SCALE;
}

float prob(int element) {
    int j = element % N_CTX;
    int i = (element / N_CTX) % N_CTX;
    int head = element / (N_CTX * N_CTX);
    if (j > i) return 0.0;

    float peak = logit(head, i, 0);
    for (int k = 1; k <= i; k++) peak = max(peak, logit(head, i, k));
    float z = 0.0;
    for (int k = 0; k <= i; k++) z += exp(logit(head, i, k) - peak);
    return exp(logit(head, i, j) - peak) / z;
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int first = (p.y * WIDTH + p.x) * 4;
    result = vec4(prob(first), prob(first + 1), prob(first + 2), prob(first + 3));
}
