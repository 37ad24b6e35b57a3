#version 330 core
// Bilinear enlargement under which the corner pixels stay at the corners.

uniform sampler2D u_image;

const ivec2 IN = ivec2(5, 4);
const ivec2 OUT = ivec2(9, 7);

out float color;

float pixel(ivec2 corner, ivec2 at) {
    return texelFetch(u_image, corner + min(at, IN - 1), 0).r;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 corner = texel / OUT * IN;
    vec2 at = vec2(texel % OUT) * vec2(IN - 1) / vec2(OUT - 1);
    ivec2 low = ivec2(floor(at));
    vec2 part = at - vec2(low);
    float top = mix(pixel(corner, low), pixel(corner, low + ivec2(1, 0)), part.x);
    float bottom = mix(pixel(corner, low + ivec2(0, 1)), pixel(corner, low + 1), part.x);
    color = mix(top, bottom, part.y);
}
