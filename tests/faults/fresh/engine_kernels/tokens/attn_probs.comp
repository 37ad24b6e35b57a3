#version 430
// P[h, t, s] = softmax over s <= t of Q[t, h] . K[s, h / share] / sqrt(D). One group per query and head.
#define THREADS 8
#define MAX_TOKENS 64

layout(local_size_x = THREADS) in;

layout(std430, binding = 0) readonly buffer Q { float q[]; };
layout(std430, binding = 1) readonly buffer K { float k[]; };
layout(std430, binding = 2) writeonly buffer P { float p[]; };

uniform ivec4 u_dims;  // tokens, heads of queries, heads of keys, size of a head

shared float scores[MAX_TOKENS];
shared float scratch[THREADS];

void main() {
    const int T = u_dims.x, H = u_dims.y, HK = u_dims.z, D = u_dims.w;
    const int t = int(gl_WorkGroupID.x);
    const int h = int(gl_WorkGroupID.y);
    const int hk = h / (H / HK);
    const int tid = int(gl_LocalInvocationID.x);
    const float scale = inversesqrt(float(D));

    float top = -1e30;
    for (int s = tid; s <= t; s += THREADS) {
        float dot_ = 0.0;
        for (int d = 0; d < D; ++d) {
            dot_ += q[(t * H + h) * D + d] * k[(s * HK + hk) * D + d];
        }
        scores[s] = dot_ * scale;
        top = max(top, dot_ * scale);
    }
    scratch[tid] = top;
    barrier();
    for (int i = 0; i < THREADS; ++i) {
        top = max(top, scratch[i]);
    }
    barrier();

    float sum = 0.0;
    for (int s = tid; s <= t; s += THREADS) {
        const float e = exp(scores[s] - top);
        scores[s] = e;
        sum += e;
    }
    scratch[tid] = sum;
    barrier();
    float total = 0.0;
    for (int i = 0; i < THREADS; ++i) {
        total += scratch[i];
    }

    for (int s = tid; s < T; s += THREADS) {
        p[(h * T + t) * T + s] = s <= t ? scores[s] / total : 0.0;
    }
}
