#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D GAUSS_X;
uniform vec2 GAUSS_X_pt;
#define L_tex(p) texture(GAUSS_X, p)

float max3v(float a, float b, float c) {
	return max(max(a, b), c);
}
float min3v(float a, float b, float c) {
	return min(min(a, b), c);
}

vec2 minmax3(vec2 p, vec2 d) {
	float a0 = L_tex(p - d).y;
	float b0 = L_tex(p).y;
	float c0 = L_tex(p + d).y;

	float a1 = L_tex(p - d).z;
	float b1 = L_tex(p).z;
	float c1 = L_tex(p + d).z;

	return vec2(min3v(a0, b0, c0), max3v(a1, b1, c1));
}

float lumGaussian5(vec2 p, vec2 d) {
	float g = (L_tex(p - (d + d)).x + L_tex(p + (d + d)).x) * 0.06136;
	g = g + (L_tex(p - d).x + L_tex(p + d).x) * 0.24477;
	g = g + (L_tex(p).x) * 0.38774;

	return g;
}

void main() {
	vec2 d = vec2(0.0, GAUSS_X_pt.y);
	color = vec4(lumGaussian5(pos, d), minmax3(pos, d), 0.0);
}
