#version 430
// Softmax over all places of a channel; one group to a slice of four.
#define THREADS 16

layout(local_size_x = THREADS) in;

layout(rgba32f) readonly uniform image2D u_src;
layout(rgba32f) writeonly uniform image2D u_dst;

uniform ivec4 u_size;  // width, height, channels, slices
uniform float u_heat;

shared vec4 tops[THREADS];
shared vec4 sums[THREADS];

void main() {
    int z = int(gl_WorkGroupID.x);
    int id = int(gl_LocalInvocationID.x);
    int area = u_size.x * u_size.y;

    vec4 top = vec4(-1e30);
    for (int i = id; i < area; i += THREADS) {
        top = max(top, imageLoad(u_src, ivec2(z * u_size.x + i % u_size.x, i / u_size.x)) * u_heat);
    }
    tops[id] = top;
    barrier();
    for (int t = 0; t < THREADS; ++t) top = max(top, tops[t]);

    vec4 sum = vec4(0.0);
    for (int i = id; i < area; i += THREADS) {
        sum += exp(imageLoad(u_src, ivec2(z * u_size.x + i % u_size.x, i / u_size.x)) * u_heat - top);
    }
    sums[id] = sum;
    barrier();
    vec4 total = vec4(0.0);
    for (int t = 0; t < THREADS; ++t) total += sums[t];

    for (int i = id; i < area; i += THREADS) {
        ivec2 at = ivec2(z * u_size.x + i % u_size.x, i / u_size.x);
        imageStore(u_dst, at, exp(imageLoad(u_src, at) * u_heat - top) / total);
    }
}
