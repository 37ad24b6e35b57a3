// What is below 0 becomes 0.
#version 450

layout (constant_id = 0) const int w = 0;
layout (constant_id = 1) const int h = 0;
layout (constant_id = 2) const int c = 0;
layout (constant_id = 3) const int cstep = 0;

#if NCNN_image_shader
layout (binding = 0) uniform unfp sampler3D bottom_blob_3d;
layout (binding = 1, imfmtc1) writeonly uniform unfp image3D top_blob_3d;
#else
layout (binding = 0) buffer bottom_top_blob { sfp blob_data[]; };
#endif

layout (push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
} p;

void main()
{
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (at.x >= psc(w) || at.y >= psc(h) || at.z >= psc(c))
        return;
#if NCNN_image_shader
    afp v = image3d_ld1(bottom_blob_3d, at);
#else
    int gi = at.z * psc(cstep) + at.y * psc(w) + at.x;
    afp v = buffer_ld1(blob_data, gi);
#endif
    v = max(v, afp(0.f));
#if NCNN_image_shader
    image3d_st1(top_blob_3d, at, v);
#else
    buffer_st1(blob_data, gi, v);
#endif
}
