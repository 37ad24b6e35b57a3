#version 330 core
// Depthwise convolution 3x3 of eight channels, four at a time, its taps written out; bias, and capped at 0 and 6.

uniform sampler2D u_image;
uniform sampler2D u_kernels;
uniform sampler2D u_bias;

const ivec2 SIZE = ivec2(7, 6);

out vec4 color;

vec4 pixel(int group, ivec2 at) {
    bool inside = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, SIZE));
    return inside ? texelFetch(u_image, ivec2(group, 0) * SIZE + at, 0) : vec4(0.0);
}

// Filter o is a tile of its own, its one channel in the first lane.
float weight(int o, int u, int v) {
    return texelFetch(u_kernels, ivec2(o % 3, o / 3) * 3 + ivec2(u, v), 0).r;
}

vec4 weights(int group, int u, int v) {
    int o = 4 * group;
    return vec4(weight(o, u, v), weight(o + 1, u, v), weight(o + 2, u, v), weight(o + 3, u, v));
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int group = texel.x / SIZE.x;
    ivec2 at = texel % SIZE;

    vec4 acc = texelFetch(u_bias, ivec2(group, 0), 0);
    acc += pixel(group, at + ivec2(-1, -1)) * weights(group, 0, 0);
    acc += pixel(group, at + ivec2(0, -1)) * weights(group, 1, 0);
    acc += pixel(group, at + ivec2(1, -1)) * weights(group, 2, 0);
    acc += pixel(group, at + ivec2(-1, 0)) * weights(group, 0, 1);
    acc += pixel(group, at) * weights(group, 1, 1);
    acc += pixel(group, at + ivec2(1, 0)) * weights(group, 2, 1);
    acc += pixel(group, at + ivec2(-1, 1)) * weights(group, 0, 2);
    acc += pixel(group, at + ivec2(0, 1)) * weights(group, 1, 2);
    acc += pixel(group, at + ivec2(1, 1)) * weights(group, 2, 2);
    color = clamp(acc, 0.0, 6.0);
}
