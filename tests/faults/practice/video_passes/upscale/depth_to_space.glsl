#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D MAIN;
uniform sampler2D conv2d_last_tf;
uniform sampler2D conv2d_last_tf1;
uniform sampler2D conv2d_last_tf2;
uniform vec2 conv2d_last_tf_size;
uniform vec2 conv2d_last_tf_pt;

#define MAIN_tex(p) texture(MAIN, p)
#define conv2d_last_tf_tex(p) texture(conv2d_last_tf, p)
#define conv2d_last_tf1_tex(p) texture(conv2d_last_tf1, p)
#define conv2d_last_tf2_tex(p) texture(conv2d_last_tf2, p)

vec4 hook() {
    vec2 f0 = fract(pos * conv2d_last_tf_size);
    ivec2 i0 = ivec2(f0 * vec2(2.0));
    vec2 at = (vec2(0.5) - f0) * conv2d_last_tf_pt + pos;
    float c0 = conv2d_last_tf_tex(at)[i0.y * 2 + i0.x];
    float c1 = conv2d_last_tf1_tex(at)[i0.y * 2 + i0.x];
    float c2 = conv2d_last_tf2_tex(at)[i0.y * 2 + i0.x];
    return vec4(c0, c1, c2, 0.0) + MAIN_tex(pos);
}

void main() {
    color = hook();
}
