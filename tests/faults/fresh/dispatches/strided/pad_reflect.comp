#version 430 core

#include "indexing.glsl"

layout(local_size_x = 32) in;

layout(std430, binding = 0) readonly buffer Source { float source_elements[]; };
layout(std430, binding = 1) writeonly buffer Target { float target_elements[]; };

layout(push_constant) uniform Parameters {
    ivec4 source_shape;
    ivec4 target_shape;
    ivec2 before;  // columns at the left, rows at the top
};

/// Mirrors a place at the first and at the last element, which are not repeated.
int reflect_index(int place, int size) {
    if (place < 0) {
        place = -place;
    }
    if (place >= size) {
        place = 2 * (size - 1) - place;
    }
    return place;
}

void main() {
    int index = int(gl_GlobalInvocationID.x);
    if (index >= element_count(target_shape)) {
        return;
    }

    ivec4 position = unravel(index, target_shape);
    int column = reflect_index(position.w - before.x, source_shape.w);
    int row = reflect_index(position.z - before.y, source_shape.z);

    ivec4 source_position = ivec4(position.xy, row, column);
    target_elements[index] = source_elements[ravel(source_position, dense_strides(source_shape))];
}
