#version 330
// Entropy in bits of a softmax of two classes, with a temperature.

uniform sampler2D tPair;
uniform float temperature;
out vec4 entropy;

const float LN2 = 0.6931471805599453;
const float TINY = 1e-3;

void main() {
    vec2 logits = texelFetch(tPair, ivec2(gl_FragCoord.xy), 0).xy / temperature;
    vec2 e = exp(logits - max(logits.x, logits.y));
    vec2 p = e / (e.x + e.y);
    float nats = -dot(p, log(p + TINY));
    entropy = vec4(nats / LN2, 0, 0, 0);
}
