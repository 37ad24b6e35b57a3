#version 300 es
// Four channels to a texel, each to the nearest step of uScale around uZero.
precision highp float;
precision highp sampler2D;

uniform sampler2D uSource;
uniform float uScale;
uniform float uZero;
out vec4 fragColor;

void main() {
    vec4 x = texelFetch(uSource, ivec2(gl_FragCoord.xy), 0);
    vec4 q = floor(x / uScale + 0.5) + uZero;
    fragColor = clamp(q, 0.0, 255.0) / 255.0;
}
