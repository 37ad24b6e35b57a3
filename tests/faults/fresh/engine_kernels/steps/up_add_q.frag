#version 300 es
// The small plane twice as large, plus the skip's steps in real numbers, in steps of its own scale for every channel.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D uSmall;
uniform sampler2D uSkip;
uniform float uSkipScale;
uniform float uScale[6];
uniform float uZero;
uniform ivec2 uHeight;  // of a slice of the result, of one of the small plane
out vec4 fragColor;

void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    int z = px.y / uHeight.x;
    int y = px.y % uHeight.x;
    vec4 value = texelFetch(uSmall, ivec2(px.x / 2, z * uHeight.y + y / 2), 0);
    value += texelFetch(uSkip, px, 0) * 255.0 * uSkipScale;
    vec4 scale = vec4(1.0);
    for (int i = 0; i < 4; ++i) {
        if (z * 4 + i < 6) scale[i] = uScale[z * 4 + i];
    }
    fragColor = clamp(floor(value / scale + 0.5) + uZero, 0.0, 255.0) / 255.0;
}
