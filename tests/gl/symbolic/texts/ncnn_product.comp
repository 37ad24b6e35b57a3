#version 450
// ncnn: its own types, four channels an element
layout (constant_id = 0) const int activation_type = 0;
layout (constant_id = 1) const float activation_param_0 = 0;

layout (binding = 0) readonly buffer bottom_blob { sfpvec4 bottom_blob_data[]; };
layout (binding = 1) writeonly buffer top_blob { sfpvec4 top_blob_data[]; };
layout (binding = 2) readonly buffer weight_blob { sfpmat4 weight_data[]; };

layout (push_constant) uniform parameter { int w; int c; } p;

void main()
{
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    if (gx >= p.w || gy >= p.c)
        return;

    afpvec4 sum = afpvec4(0.f);
    for (int z = 0; z < p.c; z++)
    {
        afpvec4 v = buffer_ld4(bottom_blob_data, z * p.w + gx);
        afpmat4 k = sfp2afpmat4(weight_data[gy * p.c + z]);
        sum += v * k;
    }
    if (activation_type == 1)
        sum = max(sum, afp(0.f));
    if (activation_type == 2)
        sum = mix(sum, sum * afp(activation_param_0), lessThan(sum, afpvec4(0.f)));
    buffer_st4(top_blob_data, gy * p.w + gx, sum);
}
