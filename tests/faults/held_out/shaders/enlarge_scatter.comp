#version 430
// y[c, h, w] = x[c, h / 2, w / 2]: each invocation takes one element of x and puts it into the square that is its own.

layout(local_size_x = 16) in;

uniform ivec3 u_size;  // of x: w, h, channels

layout(std430) readonly buffer Small { float small[]; };
layout(std430) writeonly buffer Large { float large[]; };

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= u_size.x * u_size.y * u_size.z) return;
    ivec3 at = ivec3(i % u_size.x, i / u_size.x % u_size.y, i / u_size.x / u_size.y);
    int wide = 2 * u_size.x, high = 2 * u_size.y;

    for (int dy = 0; dy < 2; dy++) {
        for (int dx = 0; dx < 2; dx++) {
            ivec2 to = at.xy * 2 + ivec2(dx, dy);
            if (to.x < wide && to.y < high) large[(at.z * high + to.y) * wide + to.x] = small[i];
        }
    }
}
