#version 330
// Luma, sharper, and held back where it would ring

uniform sampler2D ycc;
uniform vec2 pt;
uniform float amount;
in vec2 pos;
out vec4 color;

#define Y(dx, dy) texture(ycc, pos + vec2(dx, dy) * pt).x

void main() {
    float c = Y(0.0, 0.0);
    float n = Y(0.0, -1.0), s = Y(0.0, 1.0), w = Y(-1.0, 0.0), e = Y(1.0, 0.0);
    float corners = Y(-1.0, -1.0) + Y(1.0, -1.0) + Y(-1.0, 1.0) + Y(1.0, 1.0);
    float blur = 0.28 * c + 0.12 * (n + s + w + e) + 0.06 * corners;
    float v = c + amount * (c - blur);
    float lo = min(min(min(n, s), min(w, e)), c);
    float hi = max(max(max(n, s), max(w, e)), c);
    color = vec4(mix(v, clamp(v, lo, hi), 0.8), 0.0, 0.0, 1.0);
}
