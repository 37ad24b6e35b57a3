#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D trunk;
out vec4 fragColor;

// baked by train.py, columns first
const mat4x3 A = mat4x3(-0.921, 0.059, 0.500, -0.692, 0.472, -0.116, -0.558, -0.523, -0.155, 0.970, -0.462, -0.573);
const mat4x3 B = mat4x3(0.399, -0.518, 0.781, -0.762, 0.721, 0.422, 1.537, 0.344, 0.101, 0.432, 0.253, 0.096);
const mat4x3 C = mat4x3(-0.765, 0.457, 0.204, -1.006, -0.045, 0.036, 0.192, -0.403, 0.558, -0.995, 0.152, 0.103);
const vec3 D = vec3(0.188, 0.015, -0.145);

vec3 sigmoid(vec3 x) { return 1.0 / (1.0 + exp(-x)); }

void main() {
    int h = textureSize(trunk, 0).y / 3;
    ivec2 uv = ivec2(gl_FragCoord.xy);
    vec4 t0 = texelFetch(trunk, uv, 0);
    vec4 t1 = texelFetch(trunk, ivec2(uv.x, uv.y + h), 0);
    vec4 t2 = texelFetch(trunk, ivec2(uv.x, uv.y + 2 * h), 0);
    vec3 rgb = A * t0 + B * t1 + C * t2 + D;
    fragColor = vec4(sigmoid(rgb), 1.0);
}
