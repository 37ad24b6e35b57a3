#version 430
// a block of many members, by std430
layout(local_size_x = 16) in;
layout(std430) readonly buffer Params {
    float gain;
    vec2 pair;
    vec3 shift;
    float behind;
    mat3 turn;
    vec3 corners[2];
    float rest[];
} params;
layout(std430) buffer Out { float dst[]; };

void main() {
    int i = int(gl_GlobalInvocationID.x);
    vec3 v = params.turn * (params.shift + params.corners[i & 1]) * params.gain;
    float sum = params.turn[1].z + params.turn[i % 3][2] + params.pair.y + params.behind;
    dst[i] = v[i % 3] + sum + params.rest[i % params.rest.length()];
}
