#version 430
// Rotary embedding: the two halves of a head are turned by the angle of the token's place.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(std430, binding = 0) readonly buffer Src { float src[]; };
layout(std430, binding = 1) readonly buffer Cos { float cosines[]; };
layout(std430, binding = 2) readonly buffer Sin { float sines[]; };
layout(std430, binding = 3) writeonly buffer Dst { float dst[]; };

uniform ivec3 u_dims;  // tokens, heads, size of a head
uniform int u_row;     // floats per row of the source
uniform int u_first;   // where the heads begin in it

void main() {
    const int half_dim = u_dims.z / 2;
    const int i = int(gl_GlobalInvocationID.x);
    const int h = int(gl_GlobalInvocationID.y);
    const int t = int(gl_GlobalInvocationID.z);
    if (i >= half_dim || h >= u_dims.y || t >= u_dims.x) return;

    const int from = t * u_row + u_first + h * u_dims.z;
    const int to = (t * u_dims.y + h) * u_dims.z;
    const int lo = i;
    const int hi = i + half_dim;
    const float x0 = src[from + lo];
    const float x1 = src[from + hi];
    const float cs = cosines[t * half_dim + i];
    const float sn = sines[t * half_dim + i];
    dst[to + lo] = x0 * cs - x1 * sn;
    dst[to + hi] = x1 * cs + x0 * sn;
}
