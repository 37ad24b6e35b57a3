#version 300 es
precision highp float;
precision highp sampler2D;
// The right picture as seen from the left: each place taken from `disparity` places further left and `tilt` rows further
// down, between four texels; beyond the border lies the border.

in vec2 uv;
uniform sampler2D right;
uniform sampler2D disparity;
uniform vec2 size;
uniform float tilt;
out vec4 seen;

vec4 texel(vec2 number) {
    return texture(right, (clamp(number, vec2(0.0), size - 1.0) + 0.5) / size);
}

void main() {
    vec2 at = uv * size - 0.5 + vec2(-texture(disparity, uv).r, tilt);
    vec2 low = floor(at);
    vec2 part = at - low;
    vec4 upper = mix(texel(low), texel(low + vec2(1.0, 0.0)), part.x);
    vec4 lower = mix(texel(low + vec2(0.0, 1.0)), texel(low + vec2(1.0, 1.0)), part.x);
    seen = mix(upper, lower, part.y);
}
