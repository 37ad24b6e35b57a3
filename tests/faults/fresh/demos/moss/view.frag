#version 330
uniform sampler2D s;
out vec4 o;

void main() {
    vec4 c = texelFetch(s, ivec2(gl_FragCoord.xy), 0);
    o = vec4(1. - clamp(c.a, 0., 1.) + c.rgb, 1);
}
