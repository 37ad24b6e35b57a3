#version 330
uniform sampler2D shares;
uniform sampler2D rows;
uniform int count;
out float value;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += texelFetch(shares, ivec2(k, at.y), 0).r * texelFetch(rows, ivec2(at.x, k), 0).r;
    }
    value = sum;
}
