#version 330
// gates[b, g] = bias[g] + W[g, :] x[t, b, :] + R[g, :] h[b, :]; blocks of gates: input, output, forget, cell
uniform sampler2D u_x;
uniform sampler2D u_h;
uniform sampler2D u_W;
uniform sampler2D u_R;
uniform sampler2D u_bias;
uniform int u_step;
uniform int u_rows;
uniform int u_features;
uniform int u_hidden;
out float gate;
void main() {
    int g = int(gl_FragCoord.x);
    int row = int(gl_FragCoord.y);
    float sum = texelFetch(u_bias, ivec2(g, 0), 0).x;
    for (int i = 0; i < u_features; i++) {
        float x = texelFetch(u_x, ivec2(i, u_step * u_rows + row), 0).x;
        sum += texelFetch(u_W, ivec2(i, g), 0).x * x;
    }
    for (int j = 0; j < u_hidden; j++) {
        float h = texelFetch(u_h, ivec2(j, row), 0).x;
        sum += texelFetch(u_R, ivec2(j, g), 0).x * h;
    }
    gate = sum;
}
