#version 330
// One step of a GRU. Reset and update gate side by side, columns 0 .. H-1 and H .. 2H-1:
//   gates[b, j] = sigmoid(sum_i x[b, i] W[j, i] + bw[j] + sum_k h[b, k] R[j, k] + br[j])
// W is [3H, I] and R is [3H, H], rows r, z, n as PyTorch keeps them. A matrix is a texture, a row a row.

uniform sampler2D t_x;
uniform sampler2D t_h; // the state of the step before
uniform sampler2D t_W;
uniform sampler2D t_R;
uniform sampler2D t_bw;
uniform sampler2D t_br;
uniform int u_inputs;
uniform int u_hidden;

out float gate;

#define AT(t, col, row) texelFetch(t, ivec2(col, row), 0).r

float sigmoid(float v) {
    return 1.0 / (1.0 + exp(-v));
}

void main() {
    int j = int(gl_FragCoord.x);
    int b = int(gl_FragCoord.y);

    float acc = AT(t_bw, j, 0) + AT(t_br, j, 0);
    for (int i = 0; i < u_inputs; ++i) {
        acc += AT(t_x, i, b) * AT(t_W, i, j);
    }
    for (int k = 0; k < u_hidden; ++k) {
        acc += AT(t_h, k, b) * AT(t_R, k, j);
    }

    gate = sigmoid(acc);
}
