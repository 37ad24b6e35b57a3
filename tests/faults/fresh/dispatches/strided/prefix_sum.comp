#version 430 core

// Running sums along rows: each work group has a row, and doubles the distance that it adds over in each round.

const int MAXIMUM_ROW = 16;

layout(local_size_x = 16) in;

layout(std430, binding = 0) readonly buffer Source { float source_elements[]; };
layout(std430, binding = 1) writeonly buffer Target { float target_elements[]; };

layout(push_constant) uniform Parameters {
    int row_length;
};

shared float running[MAXIMUM_ROW];

void main() {
    int column = int(gl_LocalInvocationID.x);
    int row_start = int(gl_WorkGroupID.x) * row_length;

    running[column] = column < row_length ? source_elements[row_start + column] : 0.0;
    barrier();

    for (int distance = 1; distance < row_length; distance *= 2) {
        float earlier = column >= distance ? running[column - distance] : 0.0;
        barrier();
        running[column] += earlier;
        barrier();
    }

    if (column < row_length) {
        target_elements[row_start + column] = running[column];
    }
}
