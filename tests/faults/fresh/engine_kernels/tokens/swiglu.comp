#version 430
// Y = silu(X * Gate) * (X * Up); four columns to an invocation, four rows of the weights a turn.
layout(local_size_x = 8, local_size_y = 8) in;

layout(std430, binding = 0) readonly buffer X { vec4 x[]; };
layout(std430, binding = 1) readonly buffer Gate { vec4 gate[]; };
layout(std430, binding = 2) readonly buffer Up { vec4 up[]; };
layout(std430, binding = 3) writeonly buffer Dst { vec4 y[]; };

uniform ivec3 u_size;  // rows, vec4s of a row of X, vec4s of a row of Y

void main() {
    const int n = int(gl_GlobalInvocationID.x);
    const int m = int(gl_GlobalInvocationID.y);
    if (n >= u_size.z || m >= u_size.x) return;

    vec4 g = vec4(0.0);
    vec4 u = vec4(0.0);
    for (int k = 0; k < u_size.y; ++k) {
        const vec4 v = x[m * u_size.y + k];
        const int w = 4 * k * u_size.z + n;
        g += v.x * gate[w];
        g += v.y * gate[w + u_size.z];
        g += v.z * gate[w + 2 * u_size.z];
        g += v.w * gate[w + 3 * u_size.z];
        u += v.x * up[w];
        u += v.y * up[w + u_size.z];
        u += v.z * up[w + 2 * u_size.z];
        u += v.w * up[w + 3 * u_size.z];
    }
    y[m * u_size.z + n] = g / (1.0 + exp(-g)) * u;
}
