#version 430
// Transposed depthwise convolution: the taps that reach a place are a stride apart, beginning at the first that does.
layout(local_size_x = 4, local_size_y = 4) in;

layout(rgba32f) readonly uniform image2D u_src;
layout(rgba32f) writeonly uniform image2D u_dst;
layout(std430, binding = 0) readonly buffer Weights { vec4 weights[]; };
layout(std430, binding = 1) readonly buffer Bias { vec4 bias[]; };

uniform ivec4 u_src_size;  // width, height, channels, slices
uniform ivec4 u_dst_size;
uniform ivec4 u_window;    // width, height, stride, pad

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(pos, u_dst_size.xyw))) return;

    ivec2 reach = pos.xy + u_window.w;
    ivec2 tap0 = reach % u_window.z;
    vec4 sum = bias[pos.z];
    for (int ky = tap0.y; ky < u_window.y; ky += u_window.z) {
        int sy = (reach.y - ky) / u_window.z;
        if (reach.y < ky || sy >= u_src_size.y) continue;
        for (int kx = tap0.x; kx < u_window.x; kx += u_window.z) {
            int sx = (reach.x - kx) / u_window.z;
            if (reach.x < kx || sx >= u_src_size.x) continue;
            vec4 v = imageLoad(u_src, ivec2(pos.z * u_src_size.x + sx, sy));
            sum += v * weights[(pos.z * u_window.y + ky) * u_window.x + kx];
        }
    }
    imageStore(u_dst, ivec2(pos.z * u_dst_size.x + pos.x, pos.y), sum);
}
