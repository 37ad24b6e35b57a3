#version 330 core
// Twice as wide and high, interpolated by hand: pixel centres stay where they are, edges repeat.

uniform sampler2D u_image;
uniform vec2 u_in_tile;

out float color;

float pixel(vec2 corner, vec2 at) {
    vec2 inside = clamp(at, vec2(0.0), u_in_tile - 1.0);
    return texture(u_image, (corner + inside + 0.5) / vec2(textureSize(u_image, 0))).r;
}

void main() {
    vec2 out_tile = u_in_tile * 2.0;
    vec2 tile = floor(gl_FragCoord.xy / out_tile);
    vec2 local = gl_FragCoord.xy - tile * out_tile;
    vec2 corner = tile * u_in_tile;

    vec2 source = local * 0.5 - 0.5;
    vec2 low = floor(source);
    vec2 part = source - low;
    float top = mix(pixel(corner, low), pixel(corner, low + vec2(1.0, 0.0)), part.x);
    float bottom = mix(pixel(corner, low + vec2(0.0, 1.0)), pixel(corner, low + vec2(1.0, 1.0)), part.x);
    color = mix(top, bottom, part.y);
}
