#version 330 core
// Writes one texel, reads nothing; texels differ, so that no driver compresses them.

uniform float u_seed;
out vec4 Y;

void main() {
    Y = fract(gl_FragCoord.xyxy * vec4(0.3719, 0.6173, 0.8311, 0.1733) + gl_FragCoord.yxyx * 0.0911 + u_seed);
}
