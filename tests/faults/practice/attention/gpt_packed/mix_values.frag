#version 330 core
// probs x values; four features of one head are one texel.
uniform sampler2D probs;
uniform sampler2D qkv;
layout(location = 0) out vec4 result;

const int N_CTX = 10;
const int N_HEAD = 2;
const int QUADS = 2;
const int VALUE_AT = 2 * N_HEAD * QUADS;

float prob_at(int head, int i, int j) {
    int e = (head * N_CTX + i) * N_CTX + j;
    int texel = e / 4;
    return texelFetch(probs, ivec2(texel % WIDTH, texel / WIDTH), 0)[e % 4];
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int head = p.x / QUADS;
    vec4 mixed = vec4(0.0);
    for (int j = 0; j < N_CTX; j++) {
        mixed += prob_at(head, p.y, j) * texelFetch(qkv, ivec2(VALUE_AT + p.x, j), 0);
    }
    result = mixed;
}
