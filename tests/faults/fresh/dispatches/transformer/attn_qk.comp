#version 450
// S[h][i][j] = scale * q[i][h] . k[j][h] + bias[h][i][j]; a row of qkv is q, k and v one behind the other

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer QKV { float qkv[]; };
layout(binding = 1) readonly buffer Bias { float bias[]; };
layout(binding = 2) writeonly buffer S { float s[]; };
layout(push_constant) uniform P { int tokens; int width; int head; float scale; };

void main() {
    int j = int(gl_GlobalInvocationID.x);
    int i = int(gl_GlobalInvocationID.y);
    int h = int(gl_WorkGroupID.z);
    if (i >= tokens || j >= tokens) return;

    int q = i * 3 * width + h * head;
    int k = j * 3 * width + width + h * head;
    float acc = 0.0;
    for (int d = 0; d < head; ++d) acc += qkv[q + d] * qkv[k + d];

    int at = (h * tokens + i) * tokens + j;
    s[at] = acc * scale + bias[at];
}
