#version 330
// n[b, j] = tanh(sum_i x[b, i] W[2H + j, i] + bw[2H + j] + r[b, j] * (sum_k h[b, k] R[2H + j, k] + br[2H + j]))

uniform sampler2D t_x;
uniform sampler2D t_h;
uniform sampler2D t_gates;
uniform sampler2D t_W;
uniform sampler2D t_R;
uniform sampler2D t_bw;
uniform sampler2D t_br;
uniform int u_inputs;
uniform int u_hidden;

out float candidate;

#define AT(t, col, row) texelFetch(t, ivec2(col, row), 0).r

void main() {
    int j = int(gl_FragCoord.x);
    int b = int(gl_FragCoord.y);
    int row = 2 * u_hidden + j;

    float from_input = AT(t_bw, row, 0);
    for (int i = 0; i < u_inputs; ++i) {
        from_input += AT(t_x, i, b) * AT(t_W, i, row);
    }

    float from_state = AT(t_br, row, 0);
    for (int k = 0; k < u_hidden; ++k) {
        from_state += AT(t_h, k, b) * AT(t_R, k, row);
    }

    float reset = AT(t_gates, j, b);
    candidate = tanh(from_input + reset * from_state);
}
