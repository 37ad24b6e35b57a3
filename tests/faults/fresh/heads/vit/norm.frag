#version 330
// LayerNorm of each token; gamma is the first row of ln, beta the second.
uniform sampler2D tokens;
uniform sampler2D ln;
in vec2 uv;
out float result;

const float DEPTH = 14.0;
const float EPS = 0.01;

float at(float d) {
    return texture(tokens, vec2((d + 0.5) / DEPTH, uv.y)).r;
}

void main() {
    float mean = 0.0, variance = 0.0;
    for (float d = 0.0; d < DEPTH; d += 1.0) mean += at(d) / DEPTH;
    for (float d = 0.0; d < DEPTH; d += 1.0) variance += pow(abs(at(d) - mean), 2.0) / DEPTH;
    float gamma = texture(ln, vec2(uv.x, 0.25)).r;
    float beta = texture(ln, vec2(uv.x, 0.75)).r;
    result = (texture(tokens, uv).r - mean) / sqrt(variance + EPS) * gamma + beta;
}
