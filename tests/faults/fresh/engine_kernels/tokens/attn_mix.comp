#version 430
// Y[t, h * D + d] = sum over s of P[h, t, s] * V[s, h / share, d]; V lies behind Q and K in the rows of Qkv.
layout(local_size_x = 8, local_size_y = 8) in;

layout(std430, binding = 0) readonly buffer P { float p[]; };
layout(std430, binding = 1) readonly buffer Qkv { float qkv[]; };
layout(std430, binding = 2) writeonly buffer Dst { float y[]; };

uniform ivec4 u_dims;  // tokens, heads of queries, heads of values, size of a head
uniform int u_row;
uniform int u_first;

void main() {
    const int T = u_dims.x, H = u_dims.y, HV = u_dims.z, D = u_dims.w;
    const int col = int(gl_GlobalInvocationID.x);
    const int t = int(gl_GlobalInvocationID.y);
    if (col >= H * D || t >= T) return;

    const int h = col / D;
    const int d = col % D;
    const int v0 = u_first + h / (H / HV) * D + d;
    float sum = 0.0;
    for (int s = 0; s <= t; ++s) {
        sum += p[(h * T + t) * T + s] * qkv[s * u_row + v0];
    }
    y[t * H * D + col] = sum;
}
