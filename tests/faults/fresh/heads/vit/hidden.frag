#version 330
// v * sigmoid(1.702 v), the quick GELU
uniform sampler2D tokens;
uniform sampler2D weight;
uniform sampler2D bias;
in vec2 uv;
out float result;

const float DEPTH = 14.0;

void main() {
    float v = texture(bias, vec2(uv.x, 0.5)).r;
    for (float i = 0.5; i < DEPTH; i += 1.0) {
        v += texture(tokens, vec2(i / DEPTH, uv.y)).r * texture(weight, vec2(i / DEPTH, uv.x)).r;
    }
    result = v / (1.0 + exp(-1.702 * v));
}
