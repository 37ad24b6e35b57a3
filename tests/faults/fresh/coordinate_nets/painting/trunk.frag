#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D h1;       // 16 = 2 x 2 blocks
uniform sampler2D code;     // 18 = 5 blocks in a row, the last one half full
uniform sampler2D w2;       // row: four neurons, column: what they listen to
uniform sampler2D b2;
out vec4 col;

#define LEAK 0.1

vec4 lrelu(vec4 x) { return mix(LEAK * x, x, step(0.0, x)); }

void main() {
    ivec2 res = textureSize(h1, 0) / 2;
    ivec2 px = ivec2(gl_FragCoord.xy);
    int me = px.y / res.y;
    px.y %= res.y;

    vec4 acc = texelFetch(b2, ivec2(me, 0), 0);
    int col0 = 0;
    for (int j = 0; j < 4; j++) {
        vec4 v = texelFetch(h1, px + res * ivec2(j % 2, j / 2), 0);
        for (int k = 0; k < 4; k++) {
            acc += v[k] * texelFetch(w2, ivec2(col0 + k, me), 0);
        }
        col0 += 4;
    }
    for (int n = 0; n < 18; n++) {
        float v = texelFetch(code, px + ivec2(n / 4 * res.x, 0), 0)[n % 4];
        acc += v * texelFetch(w2, ivec2(col0 + n, me), 0);
    }
    col = lrelu(acc);
}
