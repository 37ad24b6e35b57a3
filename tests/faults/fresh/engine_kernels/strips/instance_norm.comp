#version 430
// One group to a slice: mean and variance of its four channels, by sums of THREADS strips.
#define THREADS 32

layout(local_size_x = THREADS) in;

layout(rgba32f) readonly uniform image2D u_src;
layout(rgba32f) writeonly uniform image2D u_dst;
layout(std430, binding = 0) readonly buffer Gamma { vec4 gamma[]; };
layout(std430, binding = 1) readonly buffer Beta { vec4 beta[]; };

uniform ivec4 u_size;  // width, height, channels, slices
uniform float u_epsilon;

shared vec4 sums[THREADS];

vec4 reduce(vec4 value, int id) {
    sums[id] = value;
    memoryBarrierShared();
    barrier();
    for (int n = THREADS / 2; n > 0; n >>= 1) {
        if (id < n) sums[id] += sums[id + n];
        memoryBarrierShared();
        barrier();
    }
    vec4 all_ = sums[0];
    memoryBarrierShared();
    barrier();
    return all_;
}

void main() {
    int z = int(gl_WorkGroupID.x);
    int id = int(gl_LocalInvocationID.x);
    int area = u_size.x * u_size.y;
    int left = z * u_size.x;

    vec4 sum = vec4(0.0);
    for (int i = id; i < area; i += THREADS) {
        sum += imageLoad(u_src, ivec2(left + i % u_size.x, i / u_size.x));
    }
    vec4 mean = reduce(sum, id) / float(area);

    vec4 squares = vec4(0.0);
    for (int i = id; i < area; i += THREADS) {
        vec4 d = imageLoad(u_src, ivec2(left + i % u_size.x, i / u_size.x)) - mean;
        squares += d * d;
    }
    vec4 variance = reduce(squares, id) / float(area);

    vec4 a = gamma[z] / sqrt(variance + u_epsilon);
    vec4 b = beta[z] - mean * a;
    for (int i = id; i < area; i += THREADS) {
        ivec2 at = ivec2(left + i % u_size.x, i / u_size.x);
        imageStore(u_dst, at, imageLoad(u_src, at) * a + b);
    }
}
