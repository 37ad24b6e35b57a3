#version 330
// Each row of each channel summed: tiles one texel wide
uniform sampler2D x;
uniform ivec2 size;
out float sum;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int left = at.x * size.x;
    sum = 0.0;
    for (int j = 0; j < size.x; j++) sum += texelFetch(x, ivec2(left + j, at.y), 0).x;
}
