#version 330
uniform sampler2D tokens;
uniform sampler2D mean;
uniform sampler2D variance;
uniform sampler2D gamma;
uniform sampler2D beta;
uniform float epsilon;
out float result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float x = texelFetch(tokens, at, 0).x;
    float centre = texelFetch(mean, ivec2(0, at.y), 0).x;
    float spread = texelFetch(variance, ivec2(0, at.y), 0).x;
    float scale = texelFetch(gamma, ivec2(at.x, 0), 0).x;
    float shift = texelFetch(beta, ivec2(at.x, 0), 0).x;
    result = (x - centre) * inversesqrt(spread + epsilon) * scale + shift;
}
