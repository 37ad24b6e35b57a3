#version 300 es
precision highp float;
precision highp sampler2D;
// How alike left and right are, the right one d places further left: nine d in three blocks of a grid of two.

in vec2 uv;
uniform sampler2D left;
uniform sampler2D right;
uniform vec2 size;
out vec4 alike;

// the block `side` of the features at a place in texels
vec4 pick(sampler2D features, vec2 at, float side) {
    return texture(features, vec2(at.x + side * size.x, at.y) / vec2(2.0 * size.x, size.y));
}

float match(vec2 at, float d) {
    vec2 there = at - vec2(d, 0.0);
    if (there.x < 0.0) return 0.0;
    return dot(pick(left, at, 0.0), pick(right, there, 0.0)) + dot(pick(left, at, 1.0).rg, pick(right, there, 1.0).rg);
}

void main() {
    vec2 cell = floor(uv * 2.0);
    vec2 at = fract(uv * 2.0) * size;
    float d = 4.0 * (cell.x + 2.0 * cell.y);
    alike = vec4(match(at, d), match(at, d + 1.0), match(at, d + 2.0), match(at, d + 3.0));
}
