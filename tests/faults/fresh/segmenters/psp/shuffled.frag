#version 330
// Pixel shuffle by two: output channel c at (2x + i, 2y + j) is input channel 4c + 2j + i at (x, y).
// Four channels of an input group are the four pixels of one output channel.

uniform sampler2D tGated;
uniform ivec2 plane;
out vec4 pair;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 from = at / 2;
    int lane = 2 * (at.y & 1) + (at.x & 1);
    float zero = texelFetch(tGated, from, 0)[lane];
    float one = texelFetch(tGated, from + ivec2(plane.x, 0), 0)[lane];
    pair = vec4(zero, one, 0, 0);
}
