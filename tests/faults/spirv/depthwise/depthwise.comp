#version 450

layout(local_size_x = 8, local_size_y = 4, local_size_z = 1) in;

layout(set = 0, binding = 0) readonly buffer Source { float data[]; } source;
layout(set = 0, binding = 1) readonly buffer Filter { float data[]; } taps;
layout(set = 0, binding = 2) readonly buffer Bias { float data[]; } bias;
layout(set = 1, binding = 0) writeonly buffer Target { float data[]; } target;

layout(push_constant) uniform Sizes {
    ivec2 in_size;
    ivec2 out_size;
    ivec2 stride;
    ivec2 padding;
    int channels;
} sizes;

float at(ivec2 place, int channel)
{
    if (any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, sizes.in_size)))
        return 0.0;
    return source.data[(channel * sizes.in_size.y + place.y) * sizes.in_size.x + place.x];
}

void main()
{
    ivec3 id = ivec3(gl_GlobalInvocationID);
    if (id.x >= sizes.out_size.x || id.y >= sizes.out_size.y || id.z >= sizes.channels)
        return;
    float sum = bias.data[id.z];
    for (int ky = 0; ky < 3; ky++)
        for (int kx = 0; kx < 3; kx++)
        {
            ivec2 place = id.xy * sizes.stride + ivec2(kx, ky) - sizes.padding;
            sum += at(place, id.z) * taps.data[(id.z * 3 + ky) * 3 + kx];
        }
    target.data[(id.z * sizes.out_size.y + id.y) * sizes.out_size.x + id.x] = clamp(sum, 0.0, 6.0);
}
