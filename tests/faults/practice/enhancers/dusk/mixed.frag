#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_graded;
uniform sampler2D u_normed;
out vec4 o_mixed;

const mat3 COLOURS = mat3(
    -0.1360, 0.0169, -0.0753,
    -0.3181, -0.2926, 0.5580,
    -0.9935, 0.5429, 0.4623
);
const vec3 AMOUNT = vec3(0.5322, 0.7233, 0.5222);

vec3 logistic(vec3 x) {
    return 1.0 / (1.0 + exp(-x));
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 graded = texelFetch(u_graded, here, 0).rgb;
    vec3 normed = texelFetch(u_normed, here, 0).rgb;
    vec3 toned = logistic(COLOURS * normed + vec3(-0.0743, -0.0490, -0.0785));
    o_mixed = vec4(mix(graded, toned, AMOUNT), 1.0);
}
