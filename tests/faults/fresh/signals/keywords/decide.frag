#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "tiles.glsl"

// The scores of the keywords and their softmax.

uniform sampler2D u_means;
uniform sampler2D u_weight;
uniform sampler2D u_bias;
uniform int u_inputs;
uniform int u_columns;
uniform int u_keywords;
out float o_share;

float score(int keyword) {
    float total = readVector(u_bias, keyword);
    for (int i = 0; i < u_inputs; i++) {
        float weight = texelFetch(u_weight, ivec2(i, keyword), 0).r;
        total += weight * readTile(u_means, i, u_columns, ivec2(1), 0, 0);
    }
    return total;
}

void main() {
    int own = int(gl_FragCoord.x);
    float largest = score(0);
    for (int keyword = 1; keyword < u_keywords; keyword++) {
        largest = max(largest, score(keyword));
    }
    float total = 0.0;
    for (int keyword = 0; keyword < u_keywords; keyword++) {
        total += exp(score(keyword) - largest);
    }
    o_share = exp(score(own) - largest) / total;
}
