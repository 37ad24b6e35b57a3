#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
// one head's attention for a pixel of a page: tokens along x, channels four a texel along y
uniform sampler2D q_tex, k_tex;
uniform int u_tokens;
out vec4 outColor;

float score(int i, int j, int stop) {
    float s = 0.0;
    for (int c = 0; c < stop; ++c) s += dot(texelFetch(q_tex, ivec2(i, c), 0), texelFetch(k_tex, ivec2(j, c), 0));
    return s * inversesqrt(float(4 * stop));
}

void main() {
    ivec2 at = ivec2(gl_FragCoord);
    float top = -1.0 / 0.0;
    for (int j = 0; j < u_tokens; ++j) {
        if (j > at.x) break;
        top = max(top, score(at.x, j, 3));
    }
    float norm = 0.0;
    vec4 sum = vec4(0.0);
    for (int j = 0; j <= min(at.x, u_tokens - 1); ++j) {
        float e = exp(score(at.x, j, 3) - top);
        norm += e;
        sum += e * texelFetch(k_tex, ivec2(j, at.y), 0);
    }
    outColor = sum / norm;
}
