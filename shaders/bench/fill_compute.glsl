#version 430 core
// As fill.glsl, in compute: stores one texel, reads nothing; texels differ.

layout(local_size_x = 8, local_size_y = 8) in;
writeonly uniform image2D i_Y;
uniform float u_seed;

void main() {
    vec4 at = vec4(gl_GlobalInvocationID.xyxy);
    vec4 value = fract(at * vec4(0.3719, 0.6173, 0.8311, 0.1733) + at.yxyx * 0.0911 + u_seed);
    imageStore(i_Y, ivec2(gl_GlobalInvocationID.xy), value);
}
