#version 430
// y[o, h, w] = bias[o] + sum over c, i, j of weight[o, c, i, j] * x[c, h + i - 1, w + j - 1]
// A work group makes a rectangle of one output channel. What that reads of an input channel is brought into shared memory
// once, by all invocations together: its places and a border of one texel around them.

layout(local_size_x = 8, local_size_y = 8) in;

uniform ivec3 u_size;  // channels, height, width

layout(std430) readonly buffer Image { float x[]; };
layout(std430) readonly buffer Weights { float weight[]; };
layout(std430) readonly buffer Biases { float bias[]; };
layout(std430) writeonly buffer Result { float y[]; };


const int WIDE = int(gl_WorkGroupSize.x) + 2;
const int HIGH = int(gl_WorkGroupSize.y) + 2;
const int INVOCATIONS = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);

shared float tile[WIDE * HIGH];

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    ivec2 own = ivec2(gl_LocalInvocationID.xy);
    ivec2 corner = ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy) - 1;

    float sum = bias[at.z];
    for (int c = 0; c < u_size.x; c++) {
        for (int i = int(gl_LocalInvocationIndex); i < WIDE * HIGH; i += INVOCATIONS) {
            ivec2 from = corner + ivec2(i % WIDE, i / WIDE);
            bool inside = from.x >= 0 && from.y >= 0 && from.x < u_size.z && from.y < u_size.y;
            tile[i] = inside ? x[(c * u_size.y + from.y) * u_size.z + from.x] : 0.0;
        }
        barrier();  // everything is in the tile

        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                sum += weight[((at.z * u_size.x + c) * 3 + i) * 3 + j] * tile[(own.y + i) * WIDE + own.x + j];
            }
        }
        barrier();  // nobody reads the tile any more
    }

    if (at.x < u_size.z && at.y < u_size.y) y[(at.z * u_size.y + at.y) * u_size.z + at.x] = sum;
}
