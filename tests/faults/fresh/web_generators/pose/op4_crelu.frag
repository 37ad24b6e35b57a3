#version 300 es
// op 4: relu(concat(A, -A))   [generated]
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D A;
uniform int A_width;
uniform float A_count;
uniform int out_width;
out vec4 outColor;

float getFlat(int i) {
    int t = i / 4;
    vec4 v = texelFetch(A, ivec2(t % A_width, t / A_width), 0);
    int r = i - t * 4;
    if (r == 0) return v.x;
    if (r == 1) return v.y;
    if (r == 2) return v.z;
    return v.w;
}

float compute(int i) {
    int count = int(A_count);
    if (i < count) {
        return max(getFlat(i), 0.0);
    }
    return max(-getFlat(i - count), 0.0);
}

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    int i = (pos.y * out_width + pos.x) * 4;
    outColor = vec4(compute(i), compute(i + 1), compute(i + 2), compute(i + 3));
}
