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

// up = res, twice as large, between the centres of its texels
float compute(float c, float y, float x) {
    float py = clamp((y + 0.5) / 2.0 - 0.5, 0.0, 8.0);
    float px = clamp((x + 0.5) / 2.0 - 0.5, 0.0, 13.0);
    float y0 = floor(py);
    float x0 = floor(px);
    float y1 = min(y0 + 1.0, 8.0);
    float x1 = min(x0 + 1.0, 13.0);
    float fy = py - y0;
    float fx = px - x0;
    float upper = mix(get_res(c, y0, x0), get_res(c, y0, x1), fx);
    float lower = mix(get_res(c, y1, x0), get_res(c, y1, x1), fx);
    return mix(upper, lower, fy);
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
    float first = (texel.y * 30.0 + texel.x) * 4.0;
    gl_FragColor = vec4(at_index(first), at_index(first + 1.0), at_index(first + 2.0), at_index(first + 3.0));
}
