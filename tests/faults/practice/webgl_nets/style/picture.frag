#version 100
precision highp float;
precision highp sampler2D;

float pick(vec4 v, float lane) {
    if (lane < 0.5) return v.r;
    if (lane < 1.5) return v.g;
    if (lane < 2.5) return v.b;
    return v.a;
}

// ex: 12 x 9 x 14, four numbers a texel
uniform sampler2D ex;
float get_ex(float c, float y, float x) {
    float index = (c * 9.0 + y) * 14.0 + x;
    float texel = floor((index + 0.5) / 4.0);
    float row = floor((texel + 0.5) / 22.0);
    vec4 v = texture2D(ex, vec2((texel - row * 22.0 + 0.5) / 22.0, (row + 0.5) / 18.0));
    return pick(v, index - texel * 4.0);
}

// paint: 3 x 18 x 28, four numbers a texel
uniform sampler2D paint;
float get_paint(float c, float y, float x) {
    float index = (c * 18.0 + y) * 28.0 + x;
    float texel = floor((index + 0.5) / 4.0);
    float row = floor((texel + 0.5) / 22.0);
    vec4 v = texture2D(paint, vec2((texel - row * 22.0 + 0.5) / 22.0, (row + 0.5) / 18.0));
    return pick(v, index - texel * 4.0);
}

float hyperbolic(float x) {
    float e = exp(-2.0 * abs(x));
    return sign(x) * (1.0 - e) / (1.0 + e);
}

// picture = tanh(ex dealt out in squares of 2 x 2 + paint), from 0 to 1
float compute(float c, float y, float x) {
    float yy = floor(y / 2.0);
    float xx = floor(x / 2.0);
    float square = (y - yy * 2.0) * 2.0 + x - xx * 2.0;
    float fine = get_ex(c * 4.0 + square, yy, xx);
    float sum = fine + get_paint(c, y, x);
    return 0.5 * hyperbolic(sum) + 0.5;
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
