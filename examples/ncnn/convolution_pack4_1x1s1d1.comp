// A 1x1 convolution, four places an invocation, with the weights of a step in shared memory.
#version 450

layout (constant_id = 0) const int bias_term = 0;
layout (constant_id = 1 + 0) const int w = 0;
layout (constant_id = 1 + 1) const int h = 0;
layout (constant_id = 1 + 2) const int c = 0;
layout (constant_id = 1 + 3) const int cstep = 0;

layout (constant_id = 5) const int outcstep = 0;
layout (constant_id = 6) const int outc = 0;

layout (binding = 0) readonly buffer bottom_blob { sfpvec4 bottom_data[]; };
layout (binding = 1) writeonly buffer top_blob { sfpvec4 top_data[]; };
layout (binding = 2) readonly buffer weight_blob { sfpvec4 weight_data[]; };
layout (binding = 3) readonly buffer bias_blob { sfpvec4 bias_data[]; };

layout (push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
    int outc;
    int outcstep;
} p;

shared lfpvec4 rows[8][4];

void main()
{
    int place = int(gl_GlobalInvocationID.x) * 4, group = int(gl_GlobalInvocationID.y);
    int mine = min(group, psc(outc) - 1), lane = int(gl_LocalInvocationID.x);
    afpvec4 sums[4];
    for (int k = 0; k < 4; k++)
        sums[k] = buffer_ld4(bias_data, mine);
    for (int z = 0; z < psc(c); z++)
    {
        if (lane < 4)
            rows[gl_LocalInvocationID.y][lane] = sfp2lfpvec4(weight_data[(mine * psc(c) + z) * 4 + lane]);
        barrier();
        for (int k = 0; k < 4; k++)
        {
            afpvec4 v = buffer_ld4(bottom_data, z * psc(cstep) + min(place + k, psc(cstep) - 1));
            for (int i = 0; i < 4; i++)
                sums[k][i] += dot(v, lfp2afpvec4(rows[gl_LocalInvocationID.y][i]));
        }
        barrier();
    }
    for (int k = 0; k < 4; k++)
        if (place + k < psc(w) * psc(h) && group < psc(outc))
            buffer_st4(top_data, group * psc(outcstep) + place + k, sums[k]);
}
