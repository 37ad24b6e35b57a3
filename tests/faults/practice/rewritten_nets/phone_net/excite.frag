#version 330 core
// Means of all channels, three numbers of them, and from these a factor for every channel. All in one, it is little.
uniform sampler2D t_X;       // three tiles of 6 x 9, two across
uniform sampler2D t_WIN;     // three rows of three texels
uniform sampler2D t_BIN;     // one texel, three lanes
uniform sampler2D t_WOUT;    // 12 rows of three
uniform sampler2D t_BOUT;    // three texels

out vec4 Y;

vec4 mean_of(int group) {
    ivec2 corner = ivec2(group % 2 * 6, group / 2 * 9);
    vec4 s = vec4(0.0);
    for (int n = 0; n < 54; n++) s += texelFetch(t_X, corner + ivec2(n % 6, n / 6), 0);
    return s / 54.0;
}

void main() {
    int group = int(gl_FragCoord.x);
    vec3 few = texelFetch(t_BIN, ivec2(0), 0).xyz;
    for (int g = 0; g < 3; g++) {
        vec4 m = mean_of(g);
        few.x += dot(m, texelFetch(t_WIN, ivec2(g, 0), 0));
        few.y += dot(m, texelFetch(t_WIN, ivec2(g, 1), 0));
        few.z += dot(m, texelFetch(t_WIN, ivec2(g, 2), 0));
    }
    few = max(few, 0.0);

    vec4 s = texelFetch(t_BOUT, ivec2(group, 0), 0);
    for (int lane = 0; lane < 4; lane++) {
        int row = group * 4 + lane;
        s[lane] += few.x * texelFetch(t_WOUT, ivec2(0, row), 0).r;
        s[lane] += few.y * texelFetch(t_WOUT, ivec2(1, row), 0).r;
        s[lane] += few.z * texelFetch(t_WOUT, ivec2(2, row), 0).r;
    }
    Y = clamp(s / 6.0 + 0.5, 0.0, 1.0);
}
