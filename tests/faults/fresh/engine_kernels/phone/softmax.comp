#version 310 es
// Softmax along the channels: one invocation goes through all slices of a place.
precision highp float;
precision highp int;
precision highp sampler3D;

layout(rgba32f, binding = 0) writeonly uniform highp image3D uOutput;
uniform sampler3D uInput;
uniform ivec4 uSize;  // width, height, slices, channels

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

vec4 load(ivec2 xy, int z) {
    vec4 v = texelFetch(uInput, ivec3(xy, z), 0);
    int rest = uSize.w - 4 * z;
    return vec4(v.x, rest > 1 ? v.y : -1e30, rest > 2 ? v.z : -1e30, rest > 3 ? v.w : -1e30);
}

void main() {
    ivec2 pos = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pos, uSize.xy))) return;

    vec4 top = load(pos, 0);
    for (int z = 1; z < uSize.z; ++z) {
        top = max(top, load(pos, z));
    }
    float highest = max(max(top.x, top.y), max(top.z, top.w));

    float sum = 0.0;
    for (int z = 0; z < uSize.z; ++z) {
        vec4 e = exp(load(pos, z) - highest);
        sum += e.x + e.y + e.z + e.w;
    }
    for (int z = 0; z < uSize.z; ++z) {
        imageStore(uOutput, ivec3(pos, z), exp(load(pos, z) - highest) / sum);
    }
}
