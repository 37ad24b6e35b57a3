#version 430
// F(2, 3) in one dimension: arrays as arguments and results, a matrix built column by column
layout(local_size_x = 8) in;
layout(std430) readonly buffer In { float src[]; };
layout(std430) readonly buffer Kernel { vec3 kernel[]; };
layout(std430) buffer Out { float dst[]; };
uniform int columns;

float[4] input_of(float d[4]) {
    return float[4](d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]);
}

void kernel_of(vec3 g, out float u[4]) {
    u[0] = g.x;
    u[1] = 0.5 * (g.x + g.y + g.z);
    u[2] = 0.5 * (g.x - g.y + g.z);
    u[3] = g[2];
}

void main() {
    int i = int(gl_GlobalInvocationID.x) * 2;
    if (i + 3 >= columns) return;
    float d[4], u[4];
    for (int k = 0; k < d.length(); k++) d[k] = src[i + k];
    kernel_of(kernel[1], u);
    float v[4] = input_of(d);
    mat4x2 a;
    a[0] = vec2(1, 0);
    a[1] = vec2(1);
    a[2] = vec2(1, -1);
    a[3] = vec2(0, -1);
    vec2 y = a * vec4(u[0] * v[0], u[1] * v[1], u[2] * v[2], u[3] * v[3]);
    dst[i] = y.x;
    dst[i + 1] = y.y;
}
