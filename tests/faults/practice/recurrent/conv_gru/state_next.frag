#version 330
uniform sampler2D u_state;
uniform sampler2D u_zr;
uniform sampler2D u_q;
out vec4 state;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 update = texelFetch(u_zr, at, 0);
    vec4 old = texelFetch(u_state, at, 0);
    vec4 candidate = texelFetch(u_q, at, 0);
    state = mix(old, candidate, update);
}
