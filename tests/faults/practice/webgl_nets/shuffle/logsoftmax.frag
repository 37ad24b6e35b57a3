#version 330
#include "net.glsl"

#define CLASSES 9

uniform sampler2D tex_x;
out float y;

void main() {
    float top = VEC(tex_x, 0);
    for (int i = 1; i < CLASSES; i++) top = max(top, VEC(tex_x, i));
    float total = 0.0;
    for (int i = 0; i < CLASSES; i++) total += exp(VEC(tex_x, i) - top);
    y = VEC(tex_x, COLUMN) - top - log(total);
}
