#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// What the statistics are for.
uniform sampler2D u_feat;
uniform sampler2D u_mean;
uniform sampler2D u_variance;
uniform sampler2D u_gamma;
uniform sampler2D u_beta;
uniform ivec2 u_size;

out vec4 o_hat;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 block = ivec2(texel.x / u_size.x, 0);
    vec4 mean = texelFetch(u_mean, block, 0);
    vec4 variance = texelFetch(u_variance, block, 0);
    vec4 unit = (texelFetch(u_feat, texel, 0) - mean) * inversesqrt(variance + 0.005);
    o_hat = unit * texelFetch(u_gamma, block, 0) + texelFetch(u_beta, block, 0);
}
