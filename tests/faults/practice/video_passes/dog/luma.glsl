#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D HOOKED;
#define HOOKED_tex(p) texture(HOOKED, p)

float get_luma(vec4 rgba) {
	return dot(vec4(0.299, 0.587, 0.114, 0.0), rgba);
}

void main() {
	color = vec4(get_luma(HOOKED_tex(pos)), 0.0, 0.0, 0.0);
}
