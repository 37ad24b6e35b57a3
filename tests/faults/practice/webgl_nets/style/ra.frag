#version 100
precision highp float;
precision highp sampler2D;

float pick(vec4 v, float lane) {
    if (lane < 0.5) return v.r;
    if (lane < 1.5) return v.g;
    if (lane < 2.5) return v.b;
    return v.a;
}

// n1: 6 x 9 x 14, four numbers a texel
uniform sampler2D n1;
float get_n1(float c, float y, float x) {
    float index = (c * 9.0 + y) * 14.0 + x;
    float texel = floor((index + 0.5) / 4.0);
    float row = floor((texel + 0.5) / 16.0);
    vec4 v = texture2D(n1, vec2((texel - row * 16.0 + 0.5) / 16.0, (row + 0.5) / 12.0));
    return pick(v, index - texel * 4.0);
}

// filters: 6 x 6 kernels of 3 x 3, rows below each other
uniform sampler2D filters;
float get_filters(float o, float i, float v, float u) {
    float row = (o * 6.0 + i) * 3.0 + v;
    return texture2D(filters, vec2((u + 0.5) / 3.0, (row + 0.5) / 108.0)).r;
}

// bias: 6 numbers
uniform sampler2D bias;
float get_bias(float i) {
    return texture2D(bias, vec2((i + 0.5) / 6.0, 0.5)).r;
}

float padded(float c, float y, float x) {
    if (y < 0.0 || y > 8.0 || x < 0.0 || x > 13.0) return 0.0;
    return get_n1(c, y, x);
}

// ra = elu(bias + 3x3 convolution of n1, every second texel), alpha = 0.7
float compute(float c, float y, float x) {
    float sum = get_bias(c);
    for (int i = 0; i < 6; i++) {
        for (int v = 0; v < 3; v++) {
            for (int u = 0; u < 3; u++) {
                float yy = y + 2.0 * (float(v) - 1.0);
                float xx = x + 2.0 * (float(u) - 1.0);
                sum += padded(float(i), yy, xx) * get_filters(c, float(i), float(v), float(u));
            }
        }
    }
    return sum < 0.0 ? 0.7 * (exp(sum) - 1.0) : sum;
}

float at_index(float index) {
    float line = floor((index + 0.5) / 14.0);
    float x = index - line * 14.0;
    float c = floor((line + 0.5) / 9.0);
    float y = line - c * 9.0;
    return compute(c, y, x);
}

void main() {
    vec2 texel = floor(gl_FragCoord.xy);
    float first = (texel.y * 16.0 + texel.x) * 4.0;
    gl_FragColor = vec4(at_index(first), at_index(first + 1.0), at_index(first + 2.0), at_index(first + 3.0));
}
