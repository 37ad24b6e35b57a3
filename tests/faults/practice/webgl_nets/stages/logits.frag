#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Five numbers to six. The matrix has a row for each input, four numbers a texel.
uniform sampler2D u_pooled;
uniform sampler2D u_matrix;
uniform sampler2D u_bias;

out vec4 o_logits;

float entry(int i, int o) {
    int index = i * 6 + o;
    return texelFetch(u_matrix, ivec2(index >> 2, 0), 0)[index & 3];
}

void main() {
    int o = int(gl_FragCoord.x) * 4;
    vec4 sum = vec4(0);
    for (int i = 0; i < 5; ++i) {
        float x = texelFetch(u_pooled, ivec2(i >> 2, 0), 0)[i & 3];
        sum += x * vec4(entry(i, o), entry(i, o + 1), entry(i, o + 2), entry(i, o + 3));
    }
    o_logits = sum + texelFetch(u_bias, ivec2(gl_FragCoord.xy), 0);
}
