#version 330 core
// Layer normalisation of rows of eight: two texels a row.

uniform sampler2D rows;
uniform sampler2D gain;
uniform sampler2D shift;
uniform float eps;

out vec4 normal;

vec4 quad(sampler2D data, int index) {
    int width = textureSize(data, 0).x;
    return texelFetch(data, ivec2(index % width, index / width), 0);
}

float sum(vec4 q) {
    return dot(q, vec4(1.0));
}

void main() {
    int index = int(gl_FragCoord.y) * textureSize(rows, 0).x + int(gl_FragCoord.x);
    int first = index / 2 * 2;
    vec4 a = quad(rows, first);
    vec4 b = quad(rows, first + 1);
    float mean = (sum(a) + sum(b)) / 8.0;
    a -= mean;
    b -= mean;
    float variance = (sum(a * a) + sum(b * b)) / 8.0;
    vec4 centred = quad(rows, index) - mean;
    vec4 scaled = centred / sqrt(variance + eps) * quad(gain, index % 2);
    normal = scaled + quad(shift, index % 2);
}
