#version 430
layout(local_size_x = 8) in;
layout(constant_id = 0) const int MOST = 1;
layout(push_constant) uniform Sizes { int count; } p;
layout(std430) readonly buffer Numbers { float x[]; };
layout(std430) writeonly buffer Result { float y[]; };
layout(rgba32f) readonly uniform image2D i_other;
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(p.count)) y[i] = float(MOST) * x[i] + imageLoad(i_other, ivec2(0)).x;
}
