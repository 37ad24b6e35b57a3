#version 330
// h'[b, j] = (1 - z[b, j]) n[b, j] + z[b, j] h[b, j], with z in the second half of the gates

uniform sampler2D t_gates;
uniform sampler2D t_candidate;
uniform sampler2D t_h;
uniform int u_hidden;

out float state;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float z = texelFetch(t_gates, at + ivec2(u_hidden, 0), 0).r;
    float n = texelFetch(t_candidate, at, 0).r;
    float h = texelFetch(t_h, at, 0).r;
    state = mix(n, h, z);
}
