#version 430
// y[o, h, w] = max(bias[o] + sum over c, i, j of weight[o, c, i, j] * x[c, h + i - 1, w + j - 1], 0)
// A work group makes a rectangle of one output channel. What that reads of an input channel is brought into shared memory
// once, by all invocations together: its places and a border of one texel around them.

layout(local_size_x = 8, local_size_y = 8) in;

layout(constant_id = 0) const int CHANNELS = 1;

layout(std430, set = 0, binding = 0) readonly buffer Image { float x[]; };
layout(std430, set = 0, binding = 1) readonly buffer Weights { float weight[]; };
layout(std430, set = 0, binding = 2) readonly buffer Biases { float bias[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Result { float y[]; };

layout(push_constant) uniform Sizes {
    int w;
    int h;
} p;

const int WIDE = int(gl_WorkGroupSize.x) + 2;
const int HIGH = int(gl_WorkGroupSize.y) + 2;
const int INVOCATIONS = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);

shared float tile[WIDE * HIGH];

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    ivec2 own = ivec2(gl_LocalInvocationID.xy);
    ivec2 corner = ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy) - 1;

    float sum = bias[at.z];
    for (int c = 0; c < CHANNELS; c++) {
        for (int i = int(gl_LocalInvocationIndex); i < WIDE * HIGH; i += INVOCATIONS) {
            ivec2 from = corner + ivec2(i % WIDE, i / WIDE);
            bool inside = from.x >= 0 && from.y >= 0 && from.x < p.w && from.y < p.h;
            tile[i] = inside ? x[(c * p.h + from.y) * p.w + from.x] : 0.0;
        }
        barrier();  // everything is in the tile

        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                sum += weight[((at.z * CHANNELS + c) * 3 + i) * 3 + j] * tile[(own.y + i) * WIDE + own.x + j];
            }
        }
        barrier();  // nobody reads the tile any more
    }

    if (at.x < p.w && at.y < p.h) y[(at.z * p.h + at.y) * p.w + at.x] = max(sum, 0.0);
}
