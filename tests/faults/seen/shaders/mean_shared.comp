#version 430
// y[c] = sum over h, w of x[c, h, w] / (h * w): a work group a channel, halving what is left until one number is.

layout(local_size_x = 64) in;

uniform int u_count;  // h * w

layout(std430) readonly buffer Image { float x[]; };
layout(std430) writeonly buffer Result { float y[]; };

shared float part[64];

void main() {
    int channel = int(gl_WorkGroupID.x);
    int own = int(gl_LocalInvocationID.x);

    float sum = 0.0;
    for (int i = own; i < u_count; i += 64) sum += x[channel * u_count + i];
    part[own] = sum;
    barrier();

    for (int left = 32; left > 0; left /= 2) {
        if (own < left) part[own] += part[own + left];
        barrier();  // of this turn
    }

    if (own == 0) y[channel] = part[0] / float(u_count);
}
