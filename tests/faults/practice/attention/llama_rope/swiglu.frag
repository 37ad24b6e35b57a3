#version 330
// silu(x Wg) * (x Wu), both products in one loop.
uniform sampler2D x;
uniform sampler2D w_gate;
uniform sampler2D w_up;
uniform int inner;
out float y;

float silu(float a) { return a / (1.0 + exp(-a)); }

void main() {
    int o = int(gl_FragCoord.x), t = int(gl_FragCoord.y);
    float gate = 0.0;
    float up = 0.0;
    for (int i = 0; i < inner; i++) {
        float a = texelFetch(x, ivec2(i, t), 0).x;
        gate += a * texelFetch(w_gate, ivec2(i, o), 0).x;
        up += a * texelFetch(w_up, ivec2(i, o), 0).x;
    }
    y = silu(gate) * up;
}
