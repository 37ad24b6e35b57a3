// Depthwise 5x5, four channels an element, with the activation that the layer was fused with.
#version 450

layout(local_size_x = 4, local_size_y = 4, local_size_z = 2) in;

layout(constant_id = 0) const int activation_type = 0;
layout(constant_id = 1) const float activation_alpha = 0.0;
layout(constant_id = 2) const float activation_beta = 0.0;

layout(binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };
layout(binding = 2) readonly buffer weight_blob { vec4 weight_data[]; };
layout(binding = 3) readonly buffer bias_blob { vec4 bias_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
} p;

vec4 activation(vec4 v)
{
    if (activation_type == 1)
    {
        v = max(v, vec4(0.0));
    }
    if (activation_type == 6)
    {
        v = v * clamp(v * activation_alpha + activation_beta, 0.0, 1.0);
    }
    return v;
}

void main()
{
    ivec3 g = ivec3(gl_GlobalInvocationID);

    if (any(greaterThanEqual(g, ivec3(p.w, p.h, p.c))))
        return;

    vec4 sum = bias_data[g.z];
    int first = g.z * p.cstep;

    for (int ky = 0; ky < 5; ky++)
    {
        int sy = g.y - 2 + ky;
        if (sy < 0 || sy >= p.h)
            continue;

        for (int kx = 0; kx < 5; kx++)
        {
            int sx = g.x - 2 + kx;
            if (sx < 0 || sx >= p.w)
                continue;

            sum += weight_data[g.z * 25 + ky * 5 + kx] * bottom_blob_data[first + sy * p.w + sx];
        }
    }

    top_blob_data[first + g.y * p.w + g.x] = activation(sum);
}
