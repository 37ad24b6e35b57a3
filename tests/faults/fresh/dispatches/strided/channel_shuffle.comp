#version 430 core

#include "indexing.glsl"

layout(local_size_x = 32) in;

layout(std430, binding = 0) readonly buffer Source { float source_elements[]; };
layout(std430, binding = 1) writeonly buffer Target { float target_elements[]; };

layout(push_constant) uniform Parameters {
    ivec4 source_shape;
    int groups;
};

void main() {
    int index = int(gl_GlobalInvocationID.x);
    if (index >= element_count(source_shape)) {
        return;
    }

    int channels_per_group = source_shape.y / groups;
    ivec4 position = unravel(index, source_shape);

    // Seen as [channels_per_group, groups] what is [groups, channels_per_group] in the source.
    int group = position.y % groups;
    int channel_of_group = position.y / groups;
    position.y = group * channels_per_group + channel_of_group;

    target_elements[index] = source_elements[ravel(position, dense_strides(source_shape))];
}
