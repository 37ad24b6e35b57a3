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
    ivec2 channel = ivec2(0, (tile.y * columns + tile.x) % channels);
    float scale = texelFetch(gamma, channel, 0).x * inversesqrt(texelFetch(variances, channel, 0).x + epsilon);
    float shift = texelFetch(beta, channel, 0).x - texelFetch(means, channel, 0).x * scale;
    y = max(texelFetch(x, at, 0).x * scale + shift, 0.0);
}
