#version 330 core
// Twice as wide and high: the sampler repeats texels, if it does not filter.

uniform sampler2D u_picture;
uniform vec2 u_target_texels;

out float color;

void main() {
    vec2 uv = gl_FragCoord.xy / u_target_texels;
    color = texture(u_picture, uv).r;
}
