#version 330
// Half the size. pos is where four pixels meet.

uniform sampler2D ycc;
uniform vec2 ycc_pt;
in vec2 pos;
out vec4 color;

#define T(x, y) texture(ycc, pos + vec2(x, y) * ycc_pt)

void main() {
    color = T(-0.5, -0.5);
    color += T(0.5, -0.5);
    color += T(-0.5, 0.5);
    color += T(0.5, 0.5);
    color *= 0.25;
}
