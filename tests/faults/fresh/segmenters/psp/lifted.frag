#version 330
// Nearest neighbour, from 4 x 3 bins to the whole plane.

uniform sampler2D tBins;
uniform ivec2 bins;
uniform ivec2 plane;
out vec4 value;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 group = texel / plane;
    ivec2 local = texel % plane;
    ivec2 bin = local * bins / plane;
    value = texelFetch(tBins, group * bins + bin, 0);
}
