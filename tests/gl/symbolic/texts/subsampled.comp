#version 450
// a strided convolution with weights in a uniform array and outputs by images of one lane; several outputs
#extension GL_ARB_compute_shader : enable
layout(local_size_x_id = 1, local_size_y_id = 2) in;
layout(constant_id = 7) const uint channels = 1u;
layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1) uniform sampler nearest;
layout(set = 0, binding = 2, r32f) uniform writeonly image2D low;
layout(set = 0, binding = 3) coherent buffer Second { float second[]; };
layout(push_constant) uniform Constants { ivec2 size; float taps[9]; } constants;

void main() {
    uvec2 id = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(ivec2(id), constants.size))) return;
    vec2 texel = 1.0 / vec2(textureSize(sampler2D(source, nearest), 0));
    float sum = 0.0, most = -1.0e9;
    for (uint t = 0u; t < 9u; ++t) {
        ivec2 d = ivec2(t % 3u, t / 3u) - 1;
        vec4 v = texture(sampler2D(source, nearest), (vec2(id * 2u) + 0.5 + vec2(d)) * texel);
        sum += constants.taps[t] * v[t & 3u] * float(channels);
        most = max(most, v.x);
    }
    imageStore(low, ivec2(id), vec4(sum));
    second[id.y * uint(constants.size.x) + id.x] = most;
}
