#version 100
precision highp float;
precision highp sampler2D;

float pick(vec4 v, float lane) {
    if (lane < 0.5) return v.r;
    if (lane < 1.5) return v.g;
    if (lane < 2.5) return v.b;
    return v.a;
}

// c1: 6 x 9 x 14, four numbers a texel
uniform sampler2D c1;
float get_c1(float c, float y, float x) {
    float index = (c * 9.0 + y) * 14.0 + x;
    float texel = floor((index + 0.5) / 4.0);
    float row = floor((texel + 0.5) / 16.0);
    vec4 v = texture2D(c1, vec2((texel - row * 16.0 + 0.5) / 16.0, (row + 0.5) / 12.0));
    return pick(v, index - texel * 4.0);
}

// scale: 6 numbers
uniform sampler2D scale;
float get_scale(float i) {
    return texture2D(scale, vec2((i + 0.5) / 6.0, 0.5)).r;
}

// shift: 6 numbers
uniform sampler2D shift;
float get_shift(float i) {
    return texture2D(shift, vec2((i + 0.5) / 6.0, 0.5)).r;
}

// n1 = relu(scale * (c1 - mean) / sqrt(variance + 0.01) + shift), over each channel
float compute(float c, float y, float x) {
    float sum = 0.0;
    float squares = 0.0;
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 14; j++) {
            sum += get_c1(c, float(i), float(j));
        }
    }
    float mean = sum / 126.0;
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 14; j++) {
            float difference = get_c1(c, float(i), float(j)) - mean;
            squares += difference * difference;
        }
    }
    float deviation = sqrt(squares / 126.0 + 0.01);
    float value = (get_c1(c, y, x) - mean) / deviation;
    return max(value * get_scale(c) + get_shift(c), 0.0);
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
