#version 300 es
precision highp float;
precision highp sampler2D;
// to rgb, small

uniform sampler2D iChannel0;
uniform sampler2D iWeights; // 10 x 3
uniform sampler2D iBias;
out vec4 fragColor;

const vec2 S = vec2(5., 3.);

void main() {
    vec2 tile = floor(gl_FragCoord.xy / S);
    float o = tile.y * 2. + tile.x;
    vec2 q = mod(gl_FragCoord.xy, S);
    float acc = texture(iBias, vec2((o + .5) / 3., .5)).x;
    for (float c = 0.; c < 10.; c++) {
        vec2 from = (vec2(mod(c, 4.), floor(c / 4. + .01)) * S + q) / (S * vec2(4., 3.));
        acc += texture(iWeights, (vec2(c, o) + .5) / vec2(10., 3.)).x * texture(iChannel0, from).x;
    }
    fragColor = vec4(acc);
}
