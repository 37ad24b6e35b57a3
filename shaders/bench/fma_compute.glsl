#version 430 core
// As fma.glsl, in compute: eight independent chains of v ← v · a + b on four lanes each, 64 operations per iteration.

layout(local_size_x = 8, local_size_y = 8) in;
writeonly uniform image2D i_Y;
uniform int u_turns;
uniform vec2 u_factors;

void main() {
    vec4 a = vec4(u_factors.x), b = vec4(u_factors.y);
    vec4 v0 = vec4(gl_GlobalInvocationID.xyxy), v1 = v0 + 1.0, v2 = v0 + 2.0, v3 = v0 + 3.0;
    vec4 v4 = v0 + 4.0, v5 = v0 + 5.0, v6 = v0 + 6.0, v7 = v0 + 7.0;

    for (int i = 0; i < u_turns; i++) {
        v0 = v0 * a + b;
        v1 = v1 * a + b;
        v2 = v2 * a + b;
        v3 = v3 * a + b;
        v4 = v4 * a + b;
        v5 = v5 * a + b;
        v6 = v6 * a + b;
        v7 = v7 * a + b;
    }
    imageStore(i_Y, ivec2(gl_GlobalInvocationID.xy), v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7);
}
