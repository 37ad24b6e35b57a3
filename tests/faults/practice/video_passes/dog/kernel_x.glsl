#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D LINELUMA;
uniform vec2 LINELUMA_pt;
#define L_tex(p) texture(LINELUMA, p)

float max3v(float a, float b, float c) {
	return max(max(a, b), c);
}
float min3v(float a, float b, float c) {
	return min(min(a, b), c);
}

vec2 minmax3(vec2 p, vec2 d) {
	float a = L_tex(p - d).x;
	float b = L_tex(p).x;
	float c = L_tex(p + d).x;

	return vec2(min3v(a, b, c), max3v(a, b, c));
}

float lumGaussian5(vec2 p, vec2 d) {
	float g = (L_tex(p - (d + d)).x + L_tex(p + (d + d)).x) * 0.06136;
	g = g + (L_tex(p - d).x + L_tex(p + d).x) * 0.24477;
	g = g + (L_tex(p).x) * 0.38774;

	return g;
}

void main() {
	vec2 d = vec2(LINELUMA_pt.x, 0.0);
	color = vec4(lumGaussian5(pos, d), minmax3(pos, d), 0.0);
}
