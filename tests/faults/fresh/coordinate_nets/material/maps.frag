#version 330 core
// The last layer. Left: albedo and roughness; right: slope of the normal, height.

uniform sampler2D uX;
uniform sampler2D uW;        // 5 x 7: a row for each map
uniform float uBias[7];

out vec4 oMaps;

float row(int map, ivec2 px, int wide) {
    float s = uBias[map];
    for (int g = 0; g < 5; ++g) {
        s += dot(texelFetch(uW, ivec2(g, map), 0), texelFetch(uX, px + ivec2(g * wide, 0), 0));
    }
    return s;
}

float sigmoid(float x) { return 1.0 / (1.0 + exp(-x)); }

void main() {
    int wide = textureSize(uX, 0).x / 5;
    ivec2 px = ivec2(gl_FragCoord.xy);
    bool right = px.x >= wide;
    if (right) px.x -= wide;

    if (!right) {
        oMaps.r = sigmoid(row(0, px, wide));
        oMaps.g = sigmoid(row(1, px, wide));
        oMaps.b = sigmoid(row(2, px, wide));
        oMaps.a = clamp(0.2 * row(3, px, wide) + 0.5, 0.0, 1.0);
    } else {
        oMaps.r = tanh(row(4, px, wide));
        oMaps.g = tanh(row(5, px, wide));
        oMaps.b = row(6, px, wide);
        oMaps.a = 0.0;
    }
}
