#version 330
// Depth-to-space, and the picture itself at twice the size
in vec2 pos;
uniform sampler2D MAIN;
uniform sampler2D conv2d_last;
uniform vec2 conv2d_last_size;
uniform vec2 conv2d_last_pt;
out vec4 color;
vec4 hook() {
    vec2 f0 = fract(pos * conv2d_last_size);
    ivec2 i0 = ivec2(f0 * vec2(2.0));
    vec2 centre = (vec2(0.5) - f0) * conv2d_last_pt + pos;
    float c0 = texture(conv2d_last, centre)[i0.y * 2 + i0.x];
    return vec4(c0) + texture(MAIN, pos);
}
void main() {
    color = hook();
}
