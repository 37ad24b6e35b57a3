#version 450
// O[i][h d] = sum over j of P[h][i][j] v[j][h d]: the heads come back side by side

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer P { float p[]; };
layout(binding = 1) readonly buffer QKV { float qkv[]; };
layout(binding = 2) writeonly buffer O { float o[]; };
layout(push_constant) uniform Push { int tokens; int width; int head; };

void main() {
    int c = int(gl_GlobalInvocationID.x), i = int(gl_GlobalInvocationID.y);
    if (c >= width || i >= tokens) return;

    int h = c / head;
    int at = (h * tokens + i) * tokens;
    int v = 2 * width + c;
    float acc = 0.0;
    for (int j = 0; j < tokens; ++j) {
        acc += p[at + j] * qkv[v];
        v += 3 * width;
    }
    o[i * width + c] = acc;
}
