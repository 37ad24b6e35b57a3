#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D code;
uniform mat4 W0[20];    // rows of five: W0[5 * out + in]
uniform vec4 B0[4];
uniform float omega;
uniform vec2 pic;

out vec4 col;

#define IN 5
vec4 block(ivec2 px, int g) { return texelFetch(code, px + ivec2(g * int(pic.x), 0), 0); }

void main() {
    ivec2 frag = ivec2(gl_FragCoord.xy);
    int w = int(pic.x);
    int me = frag.x / w;
    ivec2 px = ivec2(frag.x % w, frag.y);

    vec4 h = B0[me];
    for (int g = 0; g < IN; ++g) {
        h += W0[me * IN + g] * block(px, g);
    }
    col = sin(omega * h);
}
