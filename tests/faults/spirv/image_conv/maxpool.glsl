#version 450 core

layout(set = 0, binding = 0, rgba32f) uniform restrict writeonly image3D uOutput;
layout(set = 0, binding = 1, rgba32f) uniform restrict readonly image3D uInput;

layout(push_constant) uniform PushConstants {
    ivec4 outputSize;
    ivec2 kernelSize;
    ivec2 stride;
} uConstant;

layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in;

void main()
{
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(pos, uConstant.outputSize.xyz)))
        return;
    vec4 result = vec4(-3.4e38);
    ivec2 start = pos.xy * uConstant.stride;
    for (int y = 0; y < uConstant.kernelSize.y; ++y)
        for (int x = 0; x < uConstant.kernelSize.x; ++x)
            result = max(result, imageLoad(uInput, ivec3(start + ivec2(x, y), pos.z)));
    imageStore(uOutput, pos, result);
}
