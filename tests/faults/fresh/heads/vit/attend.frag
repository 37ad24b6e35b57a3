#version 330
// All of attention at once: scores, their softmax and the context, with one loop over the keys.
uniform sampler2D qkv;
in vec2 uv;
out float result;

const float HEAD = 7.0;
const float TOKENS = 16.0;
const float COLUMNS = 42.0;

float part(float head, float which, float d, float token) {
    float column = head * 3.0 * HEAD + which * HEAD + d;
    return texture(qkv, (vec2(column, token) + 0.5) / vec2(COLUMNS, TOKENS)).r;
}

void main() {
    float column = floor(uv.x * 14.0);
    float head = floor((column + 0.5) / HEAD);
    float d = column - head * HEAD;
    float query = floor(uv.y * TOKENS);
    float scale = 1.0 / sqrt(HEAD);

    float top = -1.0e30, total = 0.0, sum = 0.0;
    for (float key = 0.0; key < TOKENS; key += 1.0) {
        float score = 0.0;
        for (float i = 0.0; i < HEAD; i += 1.0) {
            score += part(head, 0.0, i, query) * part(head, 1.0, i, key);
        }
        score *= scale;
        float next = max(top, score);
        float fade = exp(top - next);
        float share = exp(score - next);
        total = total * fade + share;
        sum = sum * fade + share * part(head, 2.0, d, key);
        top = next;
    }
    result = sum / total;
}
