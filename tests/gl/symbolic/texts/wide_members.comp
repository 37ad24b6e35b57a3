#version 430
// the same by std140: elements of arrays four numbers apart; rows of a matrix side by side
layout(local_size_x = 16) in;
layout(std140) readonly buffer Params {
    vec3 shift;
    float gain;
    float steps[3];
    layout(row_major) mat2x3 m;
    vec2 rest[];
};
layout(std430) buffer Out { float dst[]; };

void main() {
    int i = int(gl_GlobalInvocationID.x);
    vec3 v = m * rest[i % 4] + shift;
    dst[i] = v[i % 3] * gain + steps[i % 3] + m[1].y;
}
