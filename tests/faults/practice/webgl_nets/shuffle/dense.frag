#version 330
#include "net.glsl"

#define N_IN (C_X + C_LOW)

uniform sampler2D tex_x;
uniform sampler2D tex_w;
uniform sampler2D tex_b;
out float y;

void main() {
    int o = COLUMN;
    float sum = 0.0;
    // four at a time
    for (int i = 0; i < N_IN; i += 4) {
        vec4 x = vec4(FETCH(tex_x, i, 0, 0, 1), FETCH(tex_x, i + 1, 0, 0, 1),
                      FETCH(tex_x, i + 2, 0, 0, 1), FETCH(tex_x, i + 3, 0, 0, 1));
        vec4 w = vec4(FETCH(tex_w, 0, i, o, 1), FETCH(tex_w, 0, i + 1, o, 1),
                      FETCH(tex_w, 0, i + 2, o, 1), FETCH(tex_w, 0, i + 3, o, 1));
        sum += dot(x, w);
    }
    y = sum + VEC(tex_b, o);
}
