#version 300 es
precision highp float;
precision highp sampler2D;

// Running sum along time: total[.., t] = carry + sum over u <= t of x[.., u]; four moments a texel

uniform sampler2D s_unit;
uniform sampler2D s_carry; // one number a row
uniform int u_length;
uniform int u_rows;
uniform int u_width;
out vec4 total;

float element(int i) {
    int texel = i / 4;
    return texelFetch(s_unit, ivec2(texel % u_width, texel / u_width), 0)[i % 4];
}

float running(int row, int t) {
    float sum = texelFetch(s_carry, ivec2(0, row), 0).r;
    for (int u = 0; u <= t; u++) {
        sum += element(row * u_length + u);
    }
    return sum;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int first = (at.y * u_width + at.x) * 4;
    total = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int i = first + lane;
        if (i < u_rows * u_length) {
            total[lane] = running(i / u_length, i % u_length);
        }
    }
}
