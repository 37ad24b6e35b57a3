#version 430
// Multiplies every channel by its gain, in place. A row of the buffer holds the rows of all slices.
layout(local_size_x = 64) in;

layout(std430, binding = 0) buffer Data { vec4 data[]; };
layout(rgba32f) readonly uniform image2D u_gain;

uniform ivec4 u_size;  // width, height, channels, slices

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= u_size.x * u_size.y * u_size.w) return;

    int z = i / u_size.x % u_size.w;
    data[i] *= imageLoad(u_gain, ivec2(z, 0));
}
