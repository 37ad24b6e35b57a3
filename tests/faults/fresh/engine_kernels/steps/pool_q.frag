#version 300 es
// Means of two by two steps, in real numbers.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D uSource;
uniform float uScale;
uniform ivec2 uHeight;  // of a slice of the source, of one of the result
out vec4 fragColor;

void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    int z = px.y / uHeight.y;
    ivec2 from = ivec2(px.x * 2, z * uHeight.x + px.y % uHeight.y * 2);
    vec4 sum = texelFetch(uSource, from, 0);
    sum += texelFetch(uSource, from + ivec2(1, 0), 0);
    sum += texelFetch(uSource, from + ivec2(0, 1), 0);
    sum += texelFetch(uSource, from + ivec2(1, 1), 0);
    fragColor = sum * 0.25 * 255.0 * uScale;
}
