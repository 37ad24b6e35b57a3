#version 430 core

#include "indexing.glsl"

layout(local_size_x = 32) in;

layout(std430, binding = 0) readonly buffer Source { float source_elements[]; };
layout(std430, binding = 1) writeonly buffer Target { float target_elements[]; };

layout(push_constant) uniform Parameters {
    ivec4 source_shape;
    ivec4 axes;  // axis k of the target is axis axes[k] of the source
};

void main() {
    int index = int(gl_GlobalInvocationID.x);
    if (index >= element_count(source_shape)) {
        return;
    }

    ivec4 target_shape = ivec4(
        source_shape[axes.x], source_shape[axes.y], source_shape[axes.z], source_shape[axes.w]);
    ivec4 strides = dense_strides(source_shape);
    ivec4 permuted_strides = ivec4(strides[axes.x], strides[axes.y], strides[axes.z], strides[axes.w]);

    ivec4 target_position = unravel(index, target_shape);
    target_elements[index] = source_elements[ravel(target_position, permuted_strides)];
}
