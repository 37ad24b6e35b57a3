#version 450
// 3x3, stride 1, border 1, Relu. A work group makes 4x4 places of four output channels, and brings the 6x6 places that
// it reads of an input channel into shared memory first.

#define LOCAL 4
#define TILE (LOCAL + 2)

layout(local_size_x = LOCAL, local_size_y = LOCAL, local_size_z = 1) in;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) readonly buffer weight_blob { vec4 weight_data[]; };
layout(binding = 2) readonly buffer bias_blob { vec4 bias_data[]; };
layout(binding = 3) writeonly buffer top_blob { vec4 top_blob_data[]; };

layout(push_constant) uniform parameter {
    int w;
    int h;
    int channels;
    int outc;
} p;

shared float tile[TILE * TILE];

void main() {
    const int gx = int(gl_GlobalInvocationID.x);
    const int gy = int(gl_GlobalInvocationID.y);
    const int gz = int(gl_GlobalInvocationID.z);
    const int lx = int(gl_LocalInvocationID.x);
    const int ly = int(gl_LocalInvocationID.y);
    const int li = int(gl_LocalInvocationIndex);

    const int x0 = int(gl_WorkGroupID.x) * LOCAL - 1;
    const int y0 = int(gl_WorkGroupID.y) * LOCAL - 1;

    vec4 sum = bias_data[gz];

    for (int q = 0; q < p.channels; q++) {
        for (int i = li; i < TILE * TILE; i += LOCAL * LOCAL) {
            const int sx = x0 + i % TILE;
            const int sy = y0 + i / TILE;
            float v = 0.0;
            if (sx >= 0 && sx < p.w && sy >= 0 && sy < p.h)
                v = bottom_blob_data[(q * p.h + sy) * p.w + sx];
            tile[i] = v;
        }
        barrier();

        const int woff = (gz * p.channels + q) * 9;
        for (int y = 0; y < 3; y++) {
            for (int x = 0; x < 3; x++) {
                sum += tile[(ly + y) * TILE + lx + x] * weight_data[woff + y * 3 + x];
            }
        }
        barrier();
    }

    if (gx >= p.w || gy >= p.h || gz >= p.outc) return;
    top_blob_data[(gz * p.h + gy) * p.w + gx] = max(sum, vec4(0.0));
}
