#version 330
uniform sampler2D x;
uniform sampler2D means;
uniform sampler2D inverses;
uniform sampler2D gamma;
uniform sampler2D beta;
uniform sampler2D residual;
uniform int columns;
uniform int channels;
uniform ivec2 size;
out float y;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int k = at.y / size.y * columns + at.x / size.x;
    int channel = k % channels;
    int group = channel / 2;
    ivec2 place = ivec2(0, k / channels * 3 + group);
    float normed = (texelFetch(x, at, 0).x - texelFetch(means, place, 0).x) * texelFetch(inverses, place, 0).x;
    y = normed * texelFetch(gamma, ivec2(0, channel), 0).x + texelFetch(beta, ivec2(0, channel), 0).x;
    y += texelFetch(residual, at, 0).x;
}
