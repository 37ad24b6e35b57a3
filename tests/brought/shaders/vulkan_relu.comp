#version 440 core
layout(set=0, binding=0, rgba32f) writeonly restrict uniform image3D uOutput;
layout(set=0, binding=1) uniform sampler3D uInput;
layout(set=0, binding=2) readonly restrict uniform constBuffer {
    ivec4 imgSize;
    vec4 slope;
} uConstant;

layout(local_size_x = 16, local_size_y = 16) in;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (all(lessThan(pos, uConstant.imgSize.xyz))) {
        vec4 v = texelFetch(uInput, pos, 0);
        imageStore(uOutput, pos, max(v, 0.0) + uConstant.slope * min(v, 0.0));
    }
}
