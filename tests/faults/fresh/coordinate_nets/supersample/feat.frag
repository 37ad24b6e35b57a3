#version 330 core
uniform sampler2D s_now;
uniform sampler2D s_depth;
uniform mat4 u_w[27];       // nine taps for each of three quads
uniform vec4 u_b[3];
layout(location = 0) out vec4 o_feat;

#define CLAMPED(p) clamp(p, ivec2(0), size - 1)

void main() {
    ivec2 size = textureSize(s_now, 0);
    ivec2 px = ivec2(gl_FragCoord.xy);
    int quad = px.x / size.x;
    px.x -= quad * size.x;

    vec4 f = u_b[quad];
    int w = quad * 9;
    for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) {
        ivec2 tap = CLAMPED(px + ivec2(i, j));
        vec4 rgbz = vec4(texelFetch(s_now, tap, 0).rgb, texelFetch(s_depth, tap, 0).r);
        f += u_w[w++] * rgbz;
    }
    o_feat = max(f, vec4(0.0));
}
