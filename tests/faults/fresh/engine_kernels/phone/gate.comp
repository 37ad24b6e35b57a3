#version 310 es
// Squeeze and excitation: the mean of every channel, a fully connected layer, a hard sigmoid. One group does it all.
precision highp float;
precision highp int;
precision highp sampler3D;

#define THREADS 32
#define MAX_SLICES 16

layout(rgba32f, binding = 0) writeonly uniform highp image3D uOutput;
uniform sampler3D uInput;
layout(std430, binding = 2) readonly buffer Kernel { mat4 data[]; } uKernel;
layout(std430, binding = 3) readonly buffer Bias { vec4 data[]; } uBias;
uniform ivec4 uSize;  // width, height, slices, channels

layout(local_size_x = THREADS, local_size_y = 1, local_size_z = 1) in;

shared vec4 partial[THREADS];
shared vec4 means[MAX_SLICES];

void main() {
    int id = int(gl_LocalInvocationID.x);
    int area = uSize.x * uSize.y;
    for (int z = 0; z < uSize.z; ++z) {
        vec4 sum = vec4(0.0);
        for (int i = id; i < area; i += THREADS) {
            sum += texelFetch(uInput, ivec3(i % uSize.x, i / uSize.x, z), 0);
        }
        partial[id] = sum;
        barrier();
        for (int half_ = THREADS / 2; half_ > 0; half_ >>= 1) {
            if (id < half_) partial[id] += partial[id + half_];
            barrier();
        }
        if (id == 0) means[z] = partial[0] / float(area);
        barrier();
    }
    if (id >= uSize.z) return;

    vec4 y = uBias.data[id];
    for (int z = 0; z < uSize.z; ++z) {
        y += uKernel.data[id * uSize.z + z] * means[z];
    }
    imageStore(uOutput, ivec3(0, 0, id), clamp(y * (1.0 / 6.0) + 0.5, 0.0, 1.0));
}
