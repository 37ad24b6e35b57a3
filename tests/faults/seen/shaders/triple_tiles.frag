#version 330 core
// Three times as wide and high, nearest pixel, for a batch: the sampler is asked between pixels, inside their tile.

uniform sampler2D u_pixels;

const vec2 tile = vec2(5.0, 4.0);
const vec2 grid = vec2(2.0, 2.0);   // of two channels of two pictures

out float color;

void main() {
    vec2 place = gl_FragCoord.xy / (tile * 3.0);
    vec2 share = fract(place);
    color = texture(u_pixels, (floor(place) + share) / grid).r;
}
