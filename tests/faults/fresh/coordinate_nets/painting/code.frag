#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// gamma(p): four octaves side by side, and p itself in the fifth block
#define PI 3.14159265358979
#define OCTAVES 4

uniform sampler2D warp;
uniform vec2 res;
uniform float amount;

out vec4 col;

vec2 place(ivec2 px) {
    vec2 swim = texelFetch(warp, px, 0).rg - 0.5;
    return (vec2(px) + 0.5) / res + amount * swim;
}

vec4 octave(vec2 p, int k) {
    vec2 a = PI * exp2(float(k)) * p;
    return vec4(sin(a), cos(a));
}

void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    int w = int(res.x);
    int block = px.x / w;
    px.x -= block * w;

    vec2 p = place(px);
    if (block < OCTAVES) {
        col = octave(p, block);
    } else {
        col = vec4(p, 0.0, 0.0);
    }
}
