#version 330
// Depth-to-Space, and the detail on top of MAIN's luma at twice the size

uniform sampler2D MAIN;
uniform sampler2D conv2d_last;
uniform vec2 conv2d_last_pt;
uniform vec2 conv2d_last_size;
in vec2 pos;
out vec4 color;

#define get_luma(rgba) (dot(vec4(0.299, 0.587, 0.114, 0.0), rgba))

void main() {
    vec2 f0 = fract(pos * conv2d_last_size);
    ivec2 i0 = ivec2(f0 * vec2(2.0));
    float c0 = texture(conv2d_last, (vec2(0.5) - f0) * conv2d_last_pt + pos)[i0.y * 2 + i0.x];
    color = vec4(c0 + get_luma(texture(MAIN, pos)), 0.0, 0.0, 1.0);
}
