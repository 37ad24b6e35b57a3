#version 330
// The mean of the patches; the class token is left out.
uniform sampler2D lowered;
in vec2 uv;
out float result;

const float TOKENS = 16.0;

void main() {
    float sum = 0.0;
    for (float token = 1.0; token < TOKENS; token += 1.0) {
        sum += texture(lowered, vec2(uv.x, (token + 0.5) / TOKENS)).r;
    }
    result = sum / (TOKENS - 1.0);
}
