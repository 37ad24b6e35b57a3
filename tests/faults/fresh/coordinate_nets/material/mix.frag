#version 330 core
// Five little 4x4 layers, then a shuffle: neuron k of the result is neuron k / 5 of layer k % 5.

const int LAYERS = 5;

uniform sampler2D uX;        // layers side by side
uniform sampler2D uRows;     // 4 x 5: texel (n, layer) has the weights of neuron n
uniform sampler2D uB;        // 1 x 5: a texel for each layer

out vec4 oMixed;

float neuron(ivec2 px, int k, int wide) {
    int layer = k % LAYERS;
    int n = k / LAYERS;
    vec4 x = texelFetch(uX, px + ivec2(layer * wide, 0), 0);
    vec4 w = texelFetch(uRows, ivec2(n, layer), 0);
    float b = texelFetch(uB, ivec2(0, layer), 0)[n];
    return max(dot(w, x) + b, 0.0);
}

void main() {
    int wide = textureSize(uX, 0).x / LAYERS;
    ivec2 px = ivec2(gl_FragCoord.xy);
    int first = 4 * (px.x / wide);
    px.x = px.x % wide;
    for (int lane = 0; lane < 4; ++lane) {
        oMixed[lane] = neuron(px, first + lane, wide);
    }
}
