#version 450
// One work group a slice of four channels: each invocation sums every 16th place, then the halves are added.

#define THREADS 16

layout(local_size_x = THREADS) in;

layout(binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { float top_blob_data[]; };

layout(push_constant) uniform parameter {
    int size;
    int cstep;
} p;

shared vec4 partial[THREADS];

void main() {
    int t = int(gl_LocalInvocationID.x);
    int slice = int(gl_WorkGroupID.z);

    vec4 sum = vec4(0.0);
    for (int i = t; i < p.size; i += THREADS)
        sum += bottom_blob_data[slice * p.cstep + i];
    partial[t] = sum;
    memoryBarrierShared();
    barrier();

    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (t < step) partial[t] += partial[t + step];
        memoryBarrierShared();
        barrier();
    }

    if (t < 4) top_blob_data[slice * 4 + t] = partial[0][t] / float(p.size);
}
