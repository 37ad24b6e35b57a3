#version 300 es
precision highp float;
precision highp sampler2D;

// (x - m') / sqrt(v' + eps), kept within -LIMIT .. LIMIT

uniform sampler2D s_frame;
uniform sampler2D s_mean;
uniform sampler2D s_variance;
uniform float u_eps;
out vec4 unit;

const float LIMIT = 2.5;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 away = texelFetch(s_frame, at, 0) - texelFetch(s_mean, at, 0);
    vec4 deviation = sqrt(texelFetch(s_variance, at, 0) + u_eps);
    unit = clamp(away / deviation, -LIMIT, LIMIT);
}
