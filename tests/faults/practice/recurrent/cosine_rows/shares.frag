#version 330
uniform sampler2D similar;
uniform sampler2D largest;
uniform sampler2D total;
out float share;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 row = ivec2(0, at.y);
    float most = texelFetch(largest, row, 0).r;
    share = exp(texelFetch(similar, at, 0).r - most) / texelFetch(total, row, 0).r;
}
