#version 100
precision highp float;
precision highp sampler2D;

float pick(vec4 v, float lane) {
    if (lane < 0.5) return v.r;
    if (lane < 1.5) return v.g;
    if (lane < 2.5) return v.b;
    return v.a;
}

// ra: 6 x 9 x 14, four numbers a texel
uniform sampler2D ra;
float get_ra(float c, float y, float x) {
    float index = (c * 9.0 + y) * 14.0 + x;
    float texel = floor((index + 0.5) / 4.0);
    float row = floor((texel + 0.5) / 16.0);
    vec4 v = texture2D(ra, vec2((texel - row * 16.0 + 0.5) / 16.0, (row + 0.5) / 12.0));
    return pick(v, index - texel * 4.0);
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

// res = n1 + bias + 3x3 convolution of ra
float compute(float c, float y, float x) {
    float sum = 0.0;
    for (int v = -1; v <= 1; v++) {
        for (int u = -1; u <= 1; u++) {
            float yy = y + float(v);
            float xx = x + float(u);
            if (yy < 0.0 || xx < 0.0 || yy >= 9.0 || xx >= 14.0) continue;
            for (int i = 0; i < 6; i++) {
                sum += get_ra(float(i), yy, xx) * get_filters(c, float(i), float(v + 1), float(u + 1));
            }
        }
    }
    return get_n1(c, y, x) + sum + get_bias(c);
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
