#version 430
// the newest frame takes the slot at the head
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Ring { float ring[]; };
layout(std430, binding = 1) readonly buffer Frame { float frame[]; };
uniform int head;
uniform int slots;
uniform int channels;

void main() {
    int c = int(gl_GlobalInvocationID.x);
    if (c >= channels) return;
    ring[c * slots + head] = frame[c];
}
