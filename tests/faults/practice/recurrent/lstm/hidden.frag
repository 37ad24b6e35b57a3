#version 330
uniform sampler2D u_gates;
uniform sampler2D u_cell;
uniform int u_hidden;
out float hidden;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float leave = texelFetch(u_gates, at + ivec2(u_hidden, 0), 0).x;
    float cell = texelFetch(u_cell, at, 0).x;
    hidden = tanh(cell) / (1.0 + exp(-leave));
}
