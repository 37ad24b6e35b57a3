#version 330 core
// Bilinear enlargement of four channels that leaves the interpolation to the sampler.

uniform sampler2D t_picture;
uniform vec2 u_target;   // width, height in texels

out vec4 color;

void main() {
    vec2 uv = gl_FragCoord.xy / u_target;
    color = texture(t_picture, uv);
}
