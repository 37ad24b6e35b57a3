#version 430
// 1x1 convolution of six channels in two slices

layout(local_size_x = 4, local_size_y = 4) in;

#define IN_SLICES 2

layout(rgba32f) readonly uniform image2D u_in;
layout(rgba32f) writeonly uniform image2D u_out;
layout(std430) readonly buffer Kernel { mat4 kernel[]; };  // a column an output
layout(std430) readonly buffer Bias { vec4 bias[]; };

uniform ivec2 u_shape;

void main() {
    ivec3 id = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(id.xy, u_shape))) return;

    vec4 acc = bias[id.z];
    for (int s = 0; s < IN_SLICES; ++s) {
        vec4 v = imageLoad(u_in, ivec2(s * u_shape.x + id.x, id.y));
        acc += v * kernel[id.z * IN_SLICES + s];
    }
    imageStore(u_out, ivec2(id.z * u_shape.x + id.x, id.y), acc);
}
