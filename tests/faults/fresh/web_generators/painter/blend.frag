#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D painted;
uniform sampler2D sketch;
uniform sampler2D mask;
uniform int height;
out vec4 outputColor;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int channel = at.y / height;
    int row = at.y - channel * height;
    ivec2 texel = ivec2(at.x / 2, channel * (height / 2) + row / 2);
    int lane = (row & 1) * 2 + (at.x & 1);
    float m = texelFetch(mask, ivec2(at.x, row), 0).r;
    float inside = texelFetch(painted, texel, 0)[lane];
    float outside = texelFetch(sketch, texel, 0)[lane];
    outputColor = vec4(inside * m + outside * (1. - m), 0., 0., 0.);
}
