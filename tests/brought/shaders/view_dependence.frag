#version 300 es
precision highp float;
// The deferred part of a baked radiance network: features of two textures of bytes, a small network, a colour.
uniform sampler2D tDiffuse0;
uniform sampler2D tDiffuse1;
in vec2 vUv;
layout(location = 0) out vec4 pc_fragColor;

const mat4 weightsZero[4] = mat4[4](
    mat4(0.21, -0.35, 0.14, 0.4, -0.18, 0.09, 0.33, -0.27, 0.46, 0.12, -0.05, 0.31, -0.22, 0.28, 0.17, -0.39),
    mat4(-0.11, 0.24, 0.37, -0.06, 0.29, -0.41, 0.08, 0.19, 0.15, 0.34, -0.26, 0.02, 0.43, -0.13, 0.25, -0.3),
    mat4(0.32, 0.16, -0.23, 0.07, -0.36, 0.27, 0.04, 0.41, 0.1, -0.19, 0.38, -0.28, 0.05, 0.44, -0.15, 0.2),
    mat4(-0.25, 0.03, 0.18, 0.35, 0.4, -0.12, -0.31, 0.22, 0.06, 0.26, 0.13, -0.42, -0.17, 0.3, 0.39, 0.01));
const vec4 biasZero[2] = vec4[2](vec4(0.05, -0.12, 0.2, 0.03), vec4(-0.08, 0.15, 0.01, -0.22));
const mat4 weightsOne[2] = mat4[2](
    mat4(0.52, -0.24, 0.31, 0.0, -0.37, 0.18, 0.45, 0.0, 0.09, 0.56, -0.28, 0.0, 0.33, -0.15, 0.21, 0.0),
    mat4(-0.19, 0.42, 0.07, 0.0, 0.25, -0.34, 0.6, 0.0, 0.48, 0.11, -0.39, 0.0, -0.06, 0.29, 0.14, 0.0));
const vec4 biasOne = vec4(-0.1, 0.04, 0.17, 0.0);

void main() {
    vec4 feature0 = texture(tDiffuse0, vUv) * 2.0 - 1.0;
    vec4 feature1 = texture(tDiffuse1, vUv) * 2.0 - 1.0;
    vec4 h[2];
    for (int j = 0; j < 2; ++j) {
        h[j] = max(weightsZero[j] * feature0 + weightsZero[2 + j] * feature1 + biasZero[j], 0.0);
    }
    vec4 c = biasOne;
    for (int j = 0; j < 2; ++j) c += weightsOne[j] * h[j];
    pc_fragColor = vec4(1.0 / (1.0 + exp(-c.rgb)), 1.0);
}
