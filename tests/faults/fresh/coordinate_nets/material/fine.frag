#version 330 core
// Grid 0, twice as large: bilinear by hand, because the hardware would filter with 8 bits.

uniform sampler2D uLat;      // bytes; the two quads of features stand one above the other
uniform vec4 uStep[2];       // what a step of a byte is worth
uniform ivec2 uLatSize;

out vec4 oFeature;

vec4 tap(ivec2 p, int quad) {
    p = clamp(p, ivec2(0), uLatSize - 1);
    vec4 q = texelFetch(uLat, p + ivec2(0, quad * uLatSize.y), 0) * 255.0;
    return (q - 128.0) * uStep[quad];
}

void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    int wide = 2 * uLatSize.x;
    int quad = px.x / wide;
    px.x %= wide;

    vec2 at = (vec2(px) + 0.5) * 0.5 - 0.5;
    ivec2 ip = ivec2(floor(at));
    vec2 f = at - vec2(ip);

    vec4 top = mix(tap(ip, quad), tap(ip + ivec2(1, 0), quad), f.x);
    vec4 bottom = mix(tap(ip + ivec2(0, 1), quad), tap(ip + ivec2(1, 1), quad), f.x);
    oFeature = mix(top, bottom, f.y);
}
