#version 300 es
precision highp float;
precision highp sampler2D;
// The displacement that is expected when likeness times `sharpness` is what a softmax takes.

in vec2 uv;
uniform sampler2D alike;
uniform float sharpness;
out float disparity;

float likeness(float d) {
    float block = floor(d / 4.0);
    vec2 cell = vec2(mod(block, 2.0), floor(block / 2.0));
    vec4 four = texture(alike, (cell + uv) / 2.0);
    return four[int(mod(d, 4.0))];
}

void main() {
    float best = likeness(0.0);
    for (float d = 1.0; d < 9.0; d += 1.0) best = max(best, likeness(d));
    float sum = 0.0;
    float moment = 0.0;
    for (float d = 0.0; d < 9.0; d += 1.0) {
        float e = exp(sharpness * (likeness(d) - best));
        sum += e;
        moment += d * e;
    }
    disparity = moment / sum;
}
