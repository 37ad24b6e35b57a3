#version 430
// Convolution as a matrix product: TM places by four slices to a group, TK rows of the unfolded input at a time.
#define TM 16
#define TN 4
#define TK 18

layout(local_size_x = TM, local_size_y = TN) in;

layout(rgba32f) readonly uniform image2D u_src;
layout(rgba32f) writeonly uniform image2D u_dst;
layout(std430, binding = 0) readonly buffer Weights { vec4 weights[]; };
layout(std430, binding = 1) readonly buffer Bias { vec4 bias[]; };

uniform ivec4 u_src_size;  // width, height, channels, slices
uniform ivec4 u_dst_size;
uniform ivec4 u_window;    // width, height, stride, pad

shared float cols[TM][TK];

float unfolded(int place, int k) {
    int kx = k % u_window.x;
    int ky = k / u_window.x % u_window.y;
    int c = k / (u_window.x * u_window.y);
    ivec2 at = ivec2(place % u_dst_size.x, place / u_dst_size.x) * u_window.z - u_window.w + ivec2(kx, ky);
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, u_src_size.xy))) return 0.0;
    return imageLoad(u_src, ivec2(c / 4 * u_src_size.x + at.x, at.y))[c % 4];
}

void main() {
    int K = u_src_size.z * u_window.x * u_window.y;
    int lid = int(gl_LocalInvocationIndex);
    int m = int(gl_LocalInvocationID.x);
    int z = int(gl_GlobalInvocationID.y);
    int first = int(gl_WorkGroupID.x) * TM;

    vec4 sum = z < u_dst_size.w ? bias[z] : vec4(0.0);
    for (int k0 = 0; k0 < K; k0 += TK) {
        for (int i = lid; i < TM * TK; i += TM * TN) {
            cols[i / TK][i % TK] = unfolded(first + i / TK, k0 + i % TK);
        }
        memoryBarrierShared();
        barrier();
        if (z < u_dst_size.w) {
            for (int k = 0; k < TK; ++k) {
                sum += cols[m][k] * weights[z * K + k0 + k];
            }
        }
        barrier();
    }

    int place = first + m;
    if (z >= u_dst_size.w || place >= u_dst_size.x * u_dst_size.y) return;
    imageStore(u_dst, ivec2(z * u_dst_size.x + place % u_dst_size.x, place / u_dst_size.x), sum);
}
