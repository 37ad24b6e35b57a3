#version 100
precision highp float;
precision highp sampler2D;

float pick(vec4 v, float lane) {
    if (lane < 0.5) return v.r;
    if (lane < 1.5) return v.g;
    if (lane < 2.5) return v.b;
    return v.a;
}

// res: 6 x 9 x 14, four numbers a texel
uniform sampler2D res;
float get_res(float c, float y, float x) {
    float index = (c * 9.0 + y) * 14.0 + x;
    float texel = floor((index + 0.5) / 4.0);
    float row = floor((texel + 0.5) / 16.0);
    vec4 v = texture2D(res, vec2((texel - row * 16.0 + 0.5) / 16.0, (row + 0.5) / 12.0));
    return pick(v, index - texel * 4.0);
}

// filters: 12 x 6 kernels of 1 x 1, rows below each other
uniform sampler2D filters;
float get_filters(float o, float i, float v, float u) {
    float row = (o * 6.0 + i) * 1.0 + v;
    return texture2D(filters, vec2((u + 0.5) / 1.0, (row + 0.5) / 72.0)).r;
}

// bias: 12 numbers
uniform sampler2D bias;
float get_bias(float i) {
    return texture2D(bias, vec2((i + 0.5) / 12.0, 0.5)).r;
}

// ex = bias + 1x1 convolution of res
float compute(float c, float y, float x) {
    float sum = get_bias(c);
    for (int i = 0; i < 6; i++) {
        sum += get_res(float(i), y, x) * get_filters(c, float(i), 0.0, 0.0);
    }
    return sum;
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
    float first = (texel.y * 22.0 + texel.x) * 4.0;
    gl_FragColor = vec4(at_index(first), at_index(first + 1.0), at_index(first + 2.0), at_index(first + 3.0));
}
