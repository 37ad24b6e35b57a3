// Normalised, scaled and shifted, then the activation, four channels an element.
#version 450

layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in;

layout(constant_id = 0) const float eps = 0.0;
layout(constant_id = 1) const int affine = 0;

layout(binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout(binding = 1) readonly buffer mean_blob { vec4 mean_data[]; };
layout(binding = 2) readonly buffer var_blob { vec4 var_data[]; };
layout(binding = 3) readonly buffer gamma_blob { vec4 gamma_data[]; };
layout(binding = 4) readonly buffer beta_blob { vec4 beta_data[]; };
layout(binding = 5) writeonly buffer top_blob { vec4 top_blob_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
} p;

vec4 mish(vec4 v)
{
    vec4 e = exp(min(v, vec4(20.0)));
    vec4 n = e * (e + 2.0);
    return v * (n / (n + 2.0));
}

void main()
{
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    int gz = int(gl_GlobalInvocationID.z);

    if (gx >= p.w || gy >= p.h || gz >= p.c)
        return;

    vec4 a = inversesqrt(var_data[gz] + eps);
    vec4 b = -mean_data[gz] * a;
    if (affine == 1)
    {
        a *= gamma_data[gz];
        b = b * gamma_data[gz] + beta_data[gz];
    }

    int gi = gz * p.cstep + gy * p.w + gx;
    vec4 v = bottom_blob_data[gi];
    top_blob_data[gi] = mish(v * a + b);
}
