#version 330
uniform sampler2D hidden;
uniform sampler2D projected;
uniform sampler2D weight;
uniform sampler2D bias;
in vec2 uv;
out float result;

const float WIDTH = 22.0;

void main() {
    float sum = 0.0;
    for (float i = 0.5; i < WIDTH; i += 1.0) {
        sum += texture(hidden, vec2(i / WIDTH, uv.y)).r * texture(weight, vec2(i / WIDTH, uv.x)).r;
    }
    result = sum + texture(bias, vec2(uv.x, 0.5)).r + texture(projected, uv).r;
}
