#version 430
// How much of each frame in the ring is like the query: a softmax over ages, older ones held down, and their mean by it.
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer Ring { float ring[]; };
layout(std430, binding = 1) readonly buffer Query { float query[]; };
layout(std430, binding = 2) writeonly buffer Context { float context[]; };
uniform int head;
uniform int slots;
uniform int channels;
uniform float fading;

shared float share[16];
shared float scratch[16];

void main() {
    int me = int(gl_LocalInvocationID.x);
    bool real = me < slots;
    int slot = (head - me + slots) % slots;

    float score = -1e30;
    if (real) {
        score = 0.0;
        for (int c = 0; c < channels; ++c) score += query[c] * ring[c * slots + slot];
        score = score / sqrt(float(channels)) - fading * float(me);
    }
    scratch[me] = score;
    barrier();
    for (int half_way = 8; half_way > 0; half_way /= 2) {
        if (me < half_way) scratch[me] = max(scratch[me], scratch[me + half_way]);
        barrier();
    }
    float top = scratch[0];
    barrier();

    share[me] = real ? exp(score - top) : 0.0;
    scratch[me] = share[me];
    barrier();
    for (int half_way = 8; half_way > 0; half_way /= 2) {
        if (me < half_way) scratch[me] += scratch[me + half_way];
        barrier();
    }

    if (me < channels) {
        float sum = 0.0;
        for (int age = 0; age < slots; ++age) {
            sum += share[age] * ring[me * slots + (head - age + slots) % slots];
        }
        context[me] = sum / scratch[0];
    }
}
