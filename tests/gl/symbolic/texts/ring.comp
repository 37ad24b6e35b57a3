#version 430
// changed in place: the newest column takes the slot at the head, and the first is added to it
layout(local_size_x = 8) in;
buffer Ring { float ring[]; };
readonly buffer Newest { float newest[]; };
uniform int head, slots;

void main() {
    int row = int(gl_GlobalInvocationID.x);
    if (row >= 24) return;
    ring[row * slots + head] = newest[row];
    ring[row * slots + head] += ring[row * slots];
}
