#version 330
uniform sampler2D means;
uniform sampler2D running;
uniform float momentum;
out float next;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    next = momentum * texelFetch(means, at, 0).x + (1.0 - momentum) * texelFetch(running, at, 0).x;
}
