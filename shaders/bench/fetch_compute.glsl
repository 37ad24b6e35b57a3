#version 430 core
// As fetch.glsl, in compute: reads the same few texels of X repeatedly, eight per iteration.

layout(local_size_x = 8, local_size_y = 8) in;
writeonly uniform image2D i_Y;
uniform sampler2D t_X;
uniform int u_turns;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(t_X, 0));
    vec2 at = (vec2(gl_GlobalInvocationID.xy) + 0.5) * texel;
    vec4 a = vec4(0.0), b = vec4(0.0);

    for (int i = 0; i < u_turns; i++) {
        a += textureLod(t_X, at, 0.0);
        b += textureLod(t_X, at + vec2(1.0, 0.0) * texel, 0.0);
        a += textureLod(t_X, at + vec2(2.0, 0.0) * texel, 0.0);
        b += textureLod(t_X, at + vec2(3.0, 0.0) * texel, 0.0);
        a += textureLod(t_X, at + vec2(0.0, 1.0) * texel, 0.0);
        b += textureLod(t_X, at + vec2(1.0, 1.0) * texel, 0.0);
        a += textureLod(t_X, at + vec2(2.0, 1.0) * texel, 0.0);
        b += textureLod(t_X, at + vec2(3.0, 1.0) * texel, 0.0);
        at += vec2(4.0, 2.0) * texel;
    }
    imageStore(i_Y, ivec2(gl_GlobalInvocationID.xy), a + b);
}
