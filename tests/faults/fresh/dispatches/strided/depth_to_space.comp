#version 430 core

#include "indexing.glsl"

layout(local_size_x = 32) in;

layout(std430, binding = 0) readonly buffer Source { float source_elements[]; };
layout(std430, binding = 1) writeonly buffer Target { float target_elements[]; };

layout(push_constant) uniform Parameters {
    ivec4 source_shape;
    ivec4 target_shape;
    int block;
};

void main() {
    int index = int(gl_GlobalInvocationID.x);
    if (index >= element_count(target_shape)) {
        return;
    }

    ivec4 target_position = unravel(index, target_shape);
    int row_of_block = target_position.z % block;
    int column_of_block = target_position.w % block;

    ivec4 source_position;
    source_position.x = target_position.x;
    source_position.y = (row_of_block * block + column_of_block) * target_shape.y + target_position.y;
    source_position.z = target_position.z / block;
    source_position.w = target_position.w / block;
    target_elements[index] = source_elements[ravel(source_position, dense_strides(source_shape))];
}
