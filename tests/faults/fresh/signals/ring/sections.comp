#version 430
// One step of a biquad a channel, transposed direct form: rows of sections are b0 b1 b2 a1 a2.
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer Value { float value[]; };
layout(std430, binding = 1) readonly buffer Sections { float sections[]; };
layout(std430, binding = 2) readonly buffer Taps { float taps[]; };
layout(std430, binding = 3) writeonly buffer Result { float result[]; };
layout(std430, binding = 4) writeonly buffer TapsNext { float taps_next[]; };
uniform int outputs;

void main() {
    int o = int(gl_GlobalInvocationID.x);
    if (o >= outputs) return;
    int s = o * 5;
    float x = value[o];
    float y = sections[s] * x + taps[2 * o];
    result[o] = y;
    taps_next[2 * o] = sections[s + 1] * x - sections[s + 3] * y + taps[2 * o + 1];
    taps_next[2 * o + 1] = sections[s + 2] * x - sections[s + 4] * y;
}
