#version 310 es
// Joins two inputs along the channels. The border between them need not lie between two slices.
precision highp float;
precision highp int;
precision highp sampler3D;

layout(rgba32f, binding = 0) writeonly uniform highp image3D uOutput;
uniform sampler3D uInput0;
uniform sampler3D uInput1;
uniform ivec2 uChannels;  // of either input
uniform ivec4 uOutputSize;

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(pos, uOutputSize.xyz))) return;

    vec4 color = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        int c = pos.z * 4 + i;
        if (c < uChannels.x) {
            color[i] = texelFetch(uInput0, ivec3(pos.xy, c / 4), 0)[c % 4];
        } else if (c < uChannels.x + uChannels.y) {
            int d = c - uChannels.x;
            color[i] = texelFetch(uInput1, ivec3(pos.xy, d / 4), 0)[d % 4];
        }
    }
    imageStore(uOutput, pos, color);
}
