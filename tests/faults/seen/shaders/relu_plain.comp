#version 430
// y = max(x, 0), an element an invocation.

layout(local_size_x = 64) in;

uniform int u_count;

layout(std430) readonly buffer Image { float x[]; };
layout(std430) writeonly buffer Result { float y[]; };

void main() {
    int at = int(gl_GlobalInvocationID.x);
    if (at >= u_count) return;
    float value = x[at];
    y[at] = max(value, 0.0);
}
