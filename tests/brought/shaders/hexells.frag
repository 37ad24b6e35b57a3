#version 300 es
precision highp float;
uniform sampler2D u_prev;
uniform int u_frame;
uniform vec2 u_resolution;
out vec4 color;

vec4 at(vec2 offset) {
    return texture(u_prev, fract((gl_FragCoord.xy + offset) / u_resolution));
}
float hash(vec2 p) {
    return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453);
}

void main() {
    if (u_frame == 0) {
        color = vec4(hash(gl_FragCoord.xy));
        return;
    }
    vec4 here = at(vec2(0.0));
    vec4 around = at(vec2(-1.0, 0.0)) + at(vec2(1.0, 0.0)) + at(vec2(0.0, -1.0)) + at(vec2(0.0, 1.0)) - 4.0 * here;
    vec4 h = mat4(
        0.31, -0.22, 0.05, 0.11,
        -0.14, 0.27, 0.33, -0.09,
        0.08, 0.19, -0.41, 0.23,
        -0.26, 0.02, 0.17, 0.36) * here + mat4(
        -0.12, 0.07, 0.21, -0.33,
        0.24, -0.18, 0.02, 0.09,
        -0.05, 0.29, 0.14, -0.27,
        0.11, -0.16, 0.38, 0.04) * around + vec4(0.03, -0.06, 0.12, 0.01);
    h = max(h, 0.0);
    vec4 change = mat4(
        0.18, 0.04, -0.22, 0.13,
        -0.07, 0.31, 0.09, -0.15,
        0.26, -0.11, 0.05, 0.2,
        0.01, 0.14, -0.19, -0.24) * h;
    color = here + 0.5 * change;
}
