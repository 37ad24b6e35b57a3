#version 330
uniform sampler2D u_gates;
uniform sampler2D u_cell;
uniform int u_hidden;
out float cell;
float sigmoid(float x) {
    return 1.0 / (1.0 + exp(-x));
}
float block(int which, ivec2 at) {
    return texelFetch(u_gates, ivec2(at.x + which * u_hidden, at.y), 0).x;
}
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float enter = sigmoid(block(0, at));
    float forget = sigmoid(block(2, at));
    float candidate = tanh(block(3, at));
    float before = texelFetch(u_cell, at, 0).x;
    cell = forget * before + enter * candidate;
}
