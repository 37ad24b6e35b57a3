#version 330
// Chroma at the size of luma: interpolated, and what luma has beyond its own interpolation, by the slope
in vec2 pos;
uniform sampler2D LUMA;
uniform sampler2D LUMA_LOW;
uniform sampler2D CHROMA;
uniform sampler2D SLOPE;
out vec4 chroma;
void main() {
    vec2 plain = texture(CHROMA, pos).xy;
    vec2 slope = texture(SLOPE, pos).xy;
    float detail = texture(LUMA, pos).x - texture(LUMA_LOW, pos).x;
    chroma = vec4(plain + slope * detail, 0.0, 0.0);
}
