#version 330 core
// Eight independent chains of v ← v · a + b on four lanes each: 64 operations per iteration, and no texture reads.

uniform int u_turns;
uniform vec2 u_factors;
out vec4 Y;

void main() {
    vec4 a = vec4(u_factors.x), b = vec4(u_factors.y);
    vec4 v0 = gl_FragCoord, v1 = v0 + 1.0, v2 = v0 + 2.0, v3 = v0 + 3.0;
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
    Y = v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7;
}
