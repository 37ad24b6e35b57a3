#version 430 core

#include "indexing.glsl"

layout(local_size_x = 32) in;

layout(std430, binding = 0) readonly buffer Left { float left_elements[]; };
layout(std430, binding = 1) readonly buffer Factor { float factor_elements[]; };
layout(std430, binding = 2) readonly buffer Offset { float offset_elements[]; };
layout(std430, binding = 3) writeonly buffer Target { float target_elements[]; };

layout(push_constant) uniform Parameters {
    ivec4 target_shape;
    ivec4 factor_strides;  // 0 along the axes that are broadcast
    ivec4 offset_strides;
};

void main() {
    int index = int(gl_GlobalInvocationID.x);
    if (index >= element_count(target_shape)) {
        return;
    }

    ivec4 position = unravel(index, target_shape);
    float factor = factor_elements[ravel(position, factor_strides)];
    float offset = offset_elements[ravel(position, offset_strides)];
    target_elements[index] = fma(left_elements[index], factor, offset);
}
