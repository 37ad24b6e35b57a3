#version 330
// Back to RGB, to linear light, and under the white of the screen

uniform sampler2D luma;
uniform sampler2D chroma;
uniform float white;
in vec2 pos;
out vec4 color;

void main() {
    float y = (texture(luma, pos).x * 255.0 - 16.0) / 219.0;
    vec2 uv = (texture(chroma, pos).xy * 255.0 - 128.0) / 224.0;
    vec3 c;
    c.r = y + 1.5748 * uv.y;
    c.b = y + 1.8556 * uv.x;
    c.g = (y - 0.2126 * c.r - 0.0722 * c.b) / 0.7152;
    c = pow(max(c, 0.0), vec3(2.2));
    c = c * (1.0 + c / (white * white)) / (1.0 + c);
    color = vec4(c, 1.0);
}
