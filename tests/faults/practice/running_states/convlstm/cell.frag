#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// c' = sigmoid(f) * c + sigmoid(i) * tanh(g)
// h' = sigmoid(o) * tanh(c'), into the second attachment

uniform sampler2D u_gates;
uniform sampler2D u_cell;
uniform ivec2 u_size;
uniform int u_cols_gates;
uniform int u_cols_cell;

layout(location = 0) out vec4 o_cell;
layout(location = 1) out vec4 o_hidden;

const int INPUT = 0, FORGET = 1, OUTPUT = 2, CANDIDATE = 3;

float sigm(float v) { return 1.0 / (1.0 + exp(-v)); }

float gate(int kind, int c, ivec2 p) {
    int channel = kind * HIDDEN + c;
    int tile = channel / 4;
    ivec2 at = ivec2(tile % u_cols_gates, tile / u_cols_gates) * u_size + p;
    return texelFetch(u_gates, at, 0)[channel % 4];
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / u_size;
    ivec2 p = texel % u_size;
    int first = (tile.y * u_cols_cell + tile.x) * 4;

    vec4 before = texelFetch(u_cell, texel, 0);
    vec4 cell = vec4(0.0);
    vec4 hidden = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int c = first + lane;
        if (c >= HIDDEN) break;
        float keep = sigm(gate(FORGET, c, p));
        float take = sigm(gate(INPUT, c, p));
        float next = keep * before[lane] + take * tanh(gate(CANDIDATE, c, p));
        cell[lane] = next;
        hidden[lane] = sigm(gate(OUTPUT, c, p)) * tanh(next);
    }

    o_cell = cell;
    o_hidden = hidden;
}
