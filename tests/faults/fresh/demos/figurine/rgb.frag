#version 300 es
precision highp float;
precision highp sampler2D;
// to rgb, large, over the small picture made twice as large

uniform sampler2D iChannel0; // 7 pictures of 10 x 6
uniform sampler2D iSkip;     // 3 pictures of 5 x 3
uniform sampler2D iWeights;  // 7 x 3
uniform sampler2D iBias;
uniform float gain;
out vec4 fragColor;

const vec2 S = vec2(10., 6.), LOW = vec2(5., 3.);

float skip(vec2 tile, vec2 at) {
    at = clamp(at, vec2(.5), LOW - .5);
    return texture(iSkip, (tile * LOW + floor(at) + .5) / (LOW * 2.)).x;
}

float bilinear(vec2 tile, vec2 at) {
    vec2 f = fract(at - .5), a = floor(at - .5) + .5;
    return mix(mix(skip(tile, a), skip(tile, a + vec2(1., 0.)), f.x),
               mix(skip(tile, a + vec2(0., 1.)), skip(tile, a + 1.), f.x), f.y);
}

void main() {
    vec2 tile = floor(gl_FragCoord.xy / S);
    vec2 q = mod(gl_FragCoord.xy, S);
    float o = tile.y * 2. + tile.x;
    float acc = texture(iBias, vec2((o + .5) / 3., .5)).x;
    for (float c = 0.; c < 7.; c++) {
        vec2 from = (vec2(mod(c, 3.), floor((c + .5) / 3.)) * S + q) / (S * 3.);
        acc += texture(iWeights, (vec2(c, o) + .5) / vec2(7., 3.)).x * texture(iChannel0, from).x;
    }
    acc += bilinear(tile, q * LOW / S);
    fragColor = vec4(tanh(gain * acc));
}
