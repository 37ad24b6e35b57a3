#version 430 core

#include "indexing.glsl"

layout(local_size_x = 32) in;

layout(std430, binding = 0) readonly buffer Source { float source_elements[]; };
layout(std430, binding = 1) writeonly buffer Target { float target_elements[]; };

layout(push_constant) uniform Parameters {
    ivec4 source_shape;
    ivec4 target_shape;
    ivec4 starts;
    ivec4 steps;
};

void main() {
    int index = int(gl_GlobalInvocationID.x);
    if (index >= element_count(target_shape)) {
        return;
    }

    ivec4 target_position = unravel(index, target_shape);
    ivec4 source_position = starts + target_position * steps;
    target_elements[index] = source_elements[ravel(source_position, dense_strides(source_shape))];
}
