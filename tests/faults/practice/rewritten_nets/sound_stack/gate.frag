#version 330 core
// Two sums at once, of channel c and of channel c + 6 of the layer: tanh of one, let through by the sigmoid of the other.
uniform sampler2D t_X;
uniform sampler2D t_W;   // a row of two taps for each output and input
uniform sampler2D t_B;
uniform int dilation;

out float Y;

vec2 both(int t, int c) {
    vec2 s = vec2(texelFetch(t_B, ivec2(c, 0), 0).r, texelFetch(t_B, ivec2(c + 6, 0), 0).r);
    for (int i = 0; i < 6; i++) {
        float now = texelFetch(t_X, ivec2(t, i), 0).r;
        float then = t < dilation ? 0.0 : texelFetch(t_X, ivec2(t - dilation, i), 0).r;
        int a = c * 6 + i, b = a + 36;
        s.x += then * texelFetch(t_W, ivec2(0, a), 0).r + now * texelFetch(t_W, ivec2(1, a), 0).r;
        s.y += then * texelFetch(t_W, ivec2(0, b), 0).r + now * texelFetch(t_W, ivec2(1, b), 0).r;
    }
    return s;
}

void main() {
    vec2 s = both(int(gl_FragCoord.x), int(gl_FragCoord.y));
    Y = tanh(s.x) / (1.0 + exp(-s.y));
}
