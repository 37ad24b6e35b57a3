#version 300 es
// max 2x2, stride 2; as many tiles in x as in the target, so no tile arithmetic but the corner
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D x;
uniform ivec2 s;
out vec4 o;

void main() {
    ivec2 t = ivec2(gl_FragCoord.xy);
    ivec2 p = (t / s) * 2 * s + 2 * (t % s);
    vec4 m = texelFetch(x, p, 0);
    m = max(m, texelFetch(x, p + ivec2(1, 0), 0));
    m = max(m, texelFetch(x, p + ivec2(0, 1), 0));
    m = max(m, texelFetch(x, p + ivec2(1, 1), 0));
    o = m;
}
