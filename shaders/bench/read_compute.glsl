#version 430 core
// As read.glsl, in compute: reads every texel of X once, for a grid that is u_parts times smaller.

layout(local_size_x = 8, local_size_y = 8) in;
writeonly uniform image2D i_Y;
uniform sampler2D t_X;
uniform ivec2 u_parts;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(t_X, 0));
    vec2 corner = (vec2(gl_GlobalInvocationID.xy) + 0.5) * texel;
    vec2 part = 1.0 / vec2(u_parts);
    vec4 sum = vec4(0.0);

    for (int y = 0; y < u_parts.y; y++) {
        for (int x = 0; x < u_parts.x; x++) {
            sum += textureLod(t_X, corner + vec2(x, y) * part, 0.0);
        }
    }
    imageStore(i_Y, ivec2(gl_GlobalInvocationID.xy), sum);
}
