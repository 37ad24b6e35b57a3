#version 330
// Chroma between its pixels, where luma is alike

uniform sampler2D ycc;
uniform sampler2D low;
uniform vec2 low_size;
uniform vec2 low_pt;
uniform float sigma;
in vec2 pos;
out vec4 color;

void main() {
    float luma = texture(ycc, pos).x;
    vec2 p = pos * low_size - 0.5;
    vec2 base = floor(p);
    vec2 f = p - base;

    vec2 total = vec2(0.0);
    float norm = 0.001;
    for (float y = 0.0; y <= 1.0; y += 1.0) {
        for (float x = 0.0; x <= 1.0; x += 1.0) {
            vec3 s = texture(low, (base + vec2(x, y) + 0.5) * low_pt).xyz;
            vec2 share = mix(1.0 - f, f, vec2(x, y));
            float d = (s.x - luma) / sigma;
            float weight = share.x * share.y * exp(-0.5 * d * d);
            total += weight * s.yz;
            norm += weight;
        }
    }
    color = vec4(total / norm, 0.0, 1.0);
}
