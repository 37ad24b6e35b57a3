#version 100
precision highp float;
precision highp sampler2D;

float pick(vec4 v, float lane) {
    if (lane < 0.5) return v.r;
    if (lane < 1.5) return v.g;
    if (lane < 2.5) return v.b;
    return v.a;
}

// content: 3 x 9 x 14, four numbers a texel
uniform sampler2D content;
float get_content(float c, float y, float x) {
    float index = (c * 9.0 + y) * 14.0 + x;
    float texel = floor((index + 0.5) / 4.0);
    float row = floor((texel + 0.5) / 12.0);
    vec4 v = texture2D(content, vec2((texel - row * 12.0 + 0.5) / 12.0, (row + 0.5) / 8.0));
    return pick(v, index - texel * 4.0);
}

// filters: 6 x 3 kernels of 5 x 5, rows below each other
uniform sampler2D filters;
float get_filters(float o, float i, float v, float u) {
    float row = (o * 3.0 + i) * 5.0 + v;
    return texture2D(filters, vec2((u + 0.5) / 5.0, (row + 0.5) / 90.0)).r;
}

// bias: 6 numbers
uniform sampler2D bias;
float get_bias(float i) {
    return texture2D(bias, vec2((i + 0.5) / 6.0, 0.5)).r;
}

float mirror(float i, float size) {
    i = abs(i);
    return i > size - 1.0 ? 2.0 * (size - 1.0) - i : i;
}

// c1 = bias + 5x5 convolution of the mirrored content
float compute(float c, float y, float x) {
    float sum = get_bias(c);
    for (int i = 0; i < 3; i++) {
        for (int v = 0; v < 5; v++) {
            for (int u = 0; u < 5; u++) {
                float yy = mirror(y + float(v) - 2.0, 9.0);
                float xx = mirror(x + float(u) - 2.0, 14.0);
                sum += get_content(float(i), yy, xx) * get_filters(c, float(i), float(v), float(u));
            }
        }
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
    float first = (texel.y * 16.0 + texel.x) * 4.0;
    gl_FragColor = vec4(at_index(first), at_index(first + 1.0), at_index(first + 2.0), at_index(first + 3.0));
}
