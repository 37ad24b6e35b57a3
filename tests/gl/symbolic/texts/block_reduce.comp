#version 430
// mean and deviation of a row: a function with barriers in the middle of expressions
layout(local_size_x = 8, local_size_y = 2) in;
layout(std430) buffer In { float src[]; };
layout(std430) buffer Out { float dst[]; };
uniform int columns;
uniform float eps;
shared float part[16];
shared float result;

float group_sum(float v) {
    uint t = gl_LocalInvocationIndex;
    part[t] = v;
    barrier();
    if (t == 0u) {
        result = 0.0;
        for (int i = 0; i < 16; i++) result += part[i];
    }
    barrier();
    return result;
}

void main() {
    int row = int(gl_WorkGroupID.x), t = int(gl_LocalInvocationIndex);
    float own = 0.0;
    for (int i = t; i < columns; i += 16) own += src[row * columns + i];
    float mean = group_sum(own) / float(columns);
    own = 0.0;
    for (int i = t; i < columns; i += 16) own += pow(abs(src[row * columns + i] - mean), 2.0);
    float scale = inversesqrt(group_sum(own) / float(columns) + eps);
    for (int i = t; i < columns; i += 16) dst[row * columns + i] = (src[row * columns + i] - mean) * scale;
}
