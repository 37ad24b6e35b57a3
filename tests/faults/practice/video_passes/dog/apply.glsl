#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D HOOKED;
uniform sampler2D LINELUMA;
uniform sampler2D GAUSS;
#define HOOKED_tex(p) texture(HOOKED, p)
#define L_tex(p) texture(LINELUMA, p)
#define GAUSS_tex(p) texture(GAUSS, p)

#define STRENGTH 0.6 // De-blur proportional strength, higher is sharper.

void main() {
	float c = (L_tex(pos).x - GAUSS_tex(pos).x) * STRENGTH;

	float cc = clamp(c + L_tex(pos).x, GAUSS_tex(pos).y, GAUSS_tex(pos).z) - L_tex(pos).x;

	// This works because the inverse Y->RGB matrix has 1 for every row.
	color = HOOKED_tex(pos) + cc;
}
