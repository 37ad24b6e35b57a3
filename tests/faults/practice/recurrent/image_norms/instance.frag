#version 330
uniform sampler2D x;
uniform sampler2D means;
uniform sampler2D variances;
uniform sampler2D gamma;
uniform sampler2D beta;
uniform int columns;
uniform int channels;
uniform ivec2 size;
uniform float epsilon;
out float y;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 tile = at / size;
    int channel = (tile.y * columns + tile.x) % channels;
    float mean = texelFetch(means, tile, 0).x;
    float variance = texelFetch(variances, tile, 0).x;
    float normed = (texelFetch(x, at, 0).x - mean) / sqrt(variance + epsilon);
    float value = normed * texelFetch(gamma, ivec2(0, channel), 0).x + texelFetch(beta, ivec2(0, channel), 0).x;
    y = value > 0.0 ? value : 0.15 * value;
}
