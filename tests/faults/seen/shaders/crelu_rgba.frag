#version 330 core
// A concatenated ReLU of four channels: what is above zero, then what is below it, each in one texel.
uniform sampler2D features;

out vec4 color;

const int WIDTH = 6;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 value = texelFetch(features, ivec2(at.x % WIDTH, at.y), 0);
    vec4 positive = max(value, 0.0);
    vec4 negative = max(-value, 0.0);
    color = at.x < WIDTH ? positive : negative;
}
