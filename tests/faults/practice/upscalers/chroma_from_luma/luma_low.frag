#version 330
// The mean of two by two
uniform sampler2D LUMA;
out float low;
void main() {
    ivec2 at = 2 * ivec2(gl_FragCoord.xy);
    float sum = texelFetch(LUMA, at, 0).x;
    sum += texelFetch(LUMA, at + ivec2(1, 0), 0).x;
    sum += texelFetch(LUMA, at + ivec2(0, 1), 0).x;
    sum += texelFetch(LUMA, at + ivec2(1, 1), 0).x;
    low = sum / 4.0;
}
