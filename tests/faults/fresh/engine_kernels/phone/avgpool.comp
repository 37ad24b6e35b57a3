#version 310 es
// Average pooling that counts only the places inside.
precision highp float;
precision highp int;
precision highp sampler3D;

layout(rgba32f, binding = 0) writeonly uniform highp image3D uOutput;
uniform sampler3D uInput;
uniform ivec2 uKernelSize;
uniform ivec2 uStride;
uniform ivec2 uPad;
uniform ivec4 uInputSize;
uniform ivec4 uOutputSize;

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (!all(lessThan(pos, uOutputSize.xyz))) return;

    ivec2 origin = pos.xy * uStride - uPad;
    ivec2 begin = max(origin, ivec2(0));
    ivec2 end = min(origin + uKernelSize, uInputSize.xy);

    vec4 sum = vec4(0.0);
    for (int y = begin.y; y < end.y; ++y) {
        for (int x = begin.x; x < end.x; ++x) {
            sum += texelFetch(uInput, ivec3(x, y, pos.z), 0);
        }
    }
    ivec2 extent = end - begin;
    imageStore(uOutput, pos, sum / float(extent.x * extent.y));
}
