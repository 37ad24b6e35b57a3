#version 450
// one work group a row: first the mean, then the mean square around it

#define T 8

layout(local_size_x = T) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer M { float m[]; };
layout(binding = 2) writeonly buffer R { float r[]; };
layout(push_constant) uniform P { int n; float eps; };

shared float s[T];

float reduce(float v) {
    uint t = gl_LocalInvocationID.x;
    s[t] = v;
    barrier();
    for (uint k = T / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        barrier();
    }
    float total = s[0];
    barrier();
    return total;
}

void main() {
    int row = int(gl_WorkGroupID.x), t = int(gl_LocalInvocationID.x);

    float a = 0.0;
    for (int i = t; i < n; i += T) a += x[row * n + i];
    float mu = reduce(a) / float(n);

    float b = 0.0;
    for (int i = t; i < n; i += T) {
        float d = x[row * n + i] - mu;
        b += d * d;
    }
    float var = reduce(b) / float(n);

    if (t == 0) {
        m[row] = mu;
        r[row] = 1.0 / sqrt(var + eps);
    }
}
