#version 300 es
precision highp float;
precision highp sampler2D;

// An envelope that falls slowly: peak[t] = max(|x[t]|, decay * peak[t - 1]), from nothing before the first moment

uniform sampler2D s_total;
uniform int u_length;
uniform int u_rows;
uniform int u_width;
uniform float u_decay;
out vec4 peak;

float element(int i) {
    int texel = i / 4;
    return texelFetch(s_total, ivec2(texel % u_width, texel / u_width), 0)[i % 4];
}

float envelope(int row, int t) {
    float level = 0.0;
    for (int u = 0; u <= t; u++) {
        level = max(abs(element(row * u_length + u)), u_decay * level);
    }
    return level;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int first = (at.y * u_width + at.x) * 4;
    peak = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int i = first + lane;
        if (i < u_rows * u_length) {
            peak[lane] = envelope(i / u_length, i % u_length);
        }
    }
}
