#version 330
// Update and reset gate, a tile each: sigmoid of a 3x3 convolution of the state and of x, zeros beyond the border
uniform sampler2D u_state;
uniform sampler2D u_x;
uniform sampler2D u_weight;
uniform sampler2D u_bias;
out vec4 gate;
const int CHANNELS = 7;
float weight(int o, int c, int ky, int kx) {
    return texelFetch(u_weight, ivec2(kx, (o * CHANNELS + c) * 3 + ky), 0).x;
}
void main() {
    ivec2 size = textureSize(u_state, 0);
    ivec2 at = ivec2(gl_FragCoord.xy);
    int tile = at.x / size.x;
    at.x = at.x % size.x;
    for (int lane = 0; lane < 4; lane++) {
        int o = tile * 4 + lane;
        float sum = texelFetch(u_bias, ivec2(o, 0), 0).x;
        for (int ky = 0; ky < 3; ky++) {
            for (int kx = 0; kx < 3; kx++) {
                ivec2 from = at + ivec2(kx - 1, ky - 1);
                if (from.x < 0 || from.y < 0 || from.x >= size.x || from.y >= size.y) continue;
                vec4 h = texelFetch(u_state, from, 0);
                vec3 x = texelFetch(u_x, from, 0).rgb;
                for (int c = 0; c < 4; c++) sum += weight(o, c, ky, kx) * h[c];
                for (int c = 0; c < 3; c++) sum += weight(o, c + 4, ky, kx) * x[c];
            }
        }
        gate[lane] = 1.0 / (1.0 + exp(-sum));
    }
}
