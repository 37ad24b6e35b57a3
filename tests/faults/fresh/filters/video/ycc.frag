#version 330
// BT.709, limited range

uniform sampler2D rgb;
in vec2 pos;
out vec4 color;

const vec3 coeff = vec3(0.2126, 0.7152, 0.0722);

void main() {
    vec3 c = texture(rgb, pos).rgb;
    float y = dot(coeff, c);
    vec2 uv = (c.br - y) / vec2(1.8556, 1.5748);
    color.x = y * (219.0 / 255.0) + 16.0 / 255.0;
    color.yz = uv * (224.0 / 255.0) + 128.0 / 255.0;
    color.w = 0.0;
}
