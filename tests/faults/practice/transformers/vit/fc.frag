#version 330
// nn.Linear, weight [out, in]; QUICK_GELU and SKIP as the pass wants them.
precision highp float;

uniform sampler2D source;
uniform sampler2D weight;
uniform sampler2D bias;
uniform int inputs;
uniform int fromRow;
uniform sampler2D skip;
uniform bool addSkip;
uniform bool quickGelu;

out float result;

float sigmoid(float x) { return 1.0 / (1.0 + exp(-x)); }

void main() {
    int o = int(gl_FragCoord.x);
    int row = int(gl_FragCoord.y) + fromRow;
    float s = texelFetch(bias, ivec2(o, 0), 0).r;
    for (int i = 0; i < inputs; i++) {
        s += texelFetch(source, ivec2(i, row), 0).r * texelFetch(weight, ivec2(i, o), 0).r;
    }
    if (quickGelu) s = s * sigmoid(1.702 * s);
    if (addSkip) s += texelFetch(skip, ivec2(o, row), 0).r;
    result = s;
}
