#version 450
// depthwise 3x3, four channels an invocation, hard swish

layout(constant_id = 0) const int stride_w = 1;
layout(constant_id = 1) const int stride_h = 1;
layout(constant_id = 2) const int pad_left = 0;
layout(constant_id = 3) const int pad_top = 0;

layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in;

layout(binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout(binding = 1) readonly buffer weight_blob { vec4 weight_data[]; };
layout(binding = 2) readonly buffer bias_blob { vec4 bias_data[]; };
layout(binding = 3) writeonly buffer top_blob { vec4 top_blob_data[]; };

layout(push_constant) uniform parameter {
    int w;
    int h;
    int outw;
    int outh;
    int outc;
} p;

void main() {
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    int gz = int(gl_GlobalInvocationID.z);
    if (gx >= p.outw || gy >= p.outh || gz >= p.outc) return;

    vec4 sum = bias_data[gz];
    int sx = gx * stride_w - pad_left;
    int sy = gy * stride_h - pad_top;
    int plane = gz * p.w * p.h;

    for (int y = 0; y < 3; y++) {
        int py = sy + y;
        if (py < 0 || py >= p.h) continue;
        for (int x = 0; x < 3; x++) {
            int px = sx + x;
            if (px < 0 || px >= p.w) continue;
            sum += bottom_blob_data[plane + py * p.w + px] * weight_data[gz * 9 + y * 3 + x];
        }
    }

    vec4 gate = clamp(sum * 0.16666667 + 0.5, vec4(0.0), vec4(1.0));
    top_blob_data[(gz * p.outh + gy) * p.outw + gx] = sum * gate;
}
