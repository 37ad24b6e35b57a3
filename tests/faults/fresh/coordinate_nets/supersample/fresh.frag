#version 330 core
uniform sampler2D s_local;
uniform sampler2D s_now;
uniform sampler2D s_w;      // 3 x 16: a row for each of 16 results
uniform float u_b[16];
layout(location = 0) out vec4 o_fresh;

vec4 h[3];

float result(int o) {
    return u_b[o] + dot(texelFetch(s_w, ivec2(0, o), 0), h[0])
                  + dot(texelFetch(s_w, ivec2(1, o), 0), h[1])
                  + dot(texelFetch(s_w, ivec2(2, o), 0), h[2]);
}

// Four pixels from one: red's four come first, then green's, blue's, and how far to trust them.
void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    ivec2 lo = px / 2;
    ivec2 sub = px - lo * 2;
    int corner = sub.y * 2 + sub.x;

    int step_x = textureSize(s_now, 0).x;
    for (int q = 0; q < 3; ++q) h[q] = texelFetch(s_local, ivec2(lo.x + q * step_x, lo.y), 0);

    vec3 detail = vec3(result(corner), result(4 + corner), result(8 + corner));
    float trust = result(12 + corner);
    o_fresh = vec4(texelFetch(s_now, lo, 0).rgb + detail, trust);
}
