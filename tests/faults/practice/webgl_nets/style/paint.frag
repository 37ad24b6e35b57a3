#version 100
precision highp float;
precision highp sampler2D;

float pick(vec4 v, float lane) {
    if (lane < 0.5) return v.r;
    if (lane < 1.5) return v.g;
    if (lane < 2.5) return v.b;
    return v.a;
}

// up: 6 x 18 x 28, four numbers a texel
uniform sampler2D up;
float get_up(float c, float y, float x) {
    float index = (c * 18.0 + y) * 28.0 + x;
    float texel = floor((index + 0.5) / 4.0);
    float row = floor((texel + 0.5) / 30.0);
    vec4 v = texture2D(up, vec2((texel - row * 30.0 + 0.5) / 30.0, (row + 0.5) / 26.0));
    return pick(v, index - texel * 4.0);
}

// filters: 3 x 6 kernels of 3 x 3, rows below each other
uniform sampler2D filters;
float get_filters(float o, float i, float v, float u) {
    float row = (o * 6.0 + i) * 3.0 + v;
    return texture2D(filters, vec2((u + 0.5) / 3.0, (row + 0.5) / 54.0)).r;
}

// bias: 3 numbers
uniform sampler2D bias;
float get_bias(float i) {
    return texture2D(bias, vec2((i + 0.5) / 3.0, 0.5)).r;
}

// paint = bias + 3x3 convolution of up, zeros around it
float compute(float c, float y, float x) {
    float sum = get_bias(c);
    for (int i = 0; i < 6; i++) {
        for (int v = 0; v < 3; v++) {
            float yy = y + float(v) - 1.0;
            if (yy < 0.0 || yy > 17.0) continue;
            for (int u = 0; u < 3; u++) {
                float xx = x + float(u) - 1.0;
                if (xx < 0.0 || xx > 27.0) continue;
                sum += get_up(float(i), yy, xx) * get_filters(c, float(i), float(v), float(u));
            }
        }
    }
    return sum;
}

float at_index(float index) {
    float line = floor((index + 0.5) / 28.0);
    float x = index - line * 28.0;
    float c = floor((line + 0.5) / 18.0);
    float y = line - c * 18.0;
    return compute(c, y, x);
}

void main() {
    vec2 texel = floor(gl_FragCoord.xy);
    float first = (texel.y * 22.0 + texel.x) * 4.0;
    gl_FragColor = vec4(at_index(first), at_index(first + 1.0), at_index(first + 2.0), at_index(first + 3.0));
}
