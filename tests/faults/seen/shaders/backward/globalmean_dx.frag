#version 330 core
// Gradient of the mean of each channel, channels as tiles: every pixel has the same share.

uniform sampler2D u_dy;
const ivec2 SIZE = ivec2(6, 5);

out float o_dx;

void main() {
    ivec2 tile = ivec2(gl_FragCoord.xy) / SIZE;
    o_dx = texelFetch(u_dy, tile, 0).r / float(SIZE.x * SIZE.y);
}
