#version 330
// column 0: objectness times the best class, column 1: which class that is
uniform sampler2D BOXES;
out float r;

#define AT(col) texelFetch(BOXES, ivec2(col, row), 0).r

void main() {
    int row = int(gl_FragCoord.y), which = 0;
    float top = AT(5);
    for (int k = 1; k < CLASSES; ++k)
        if (AT(5 + k) > top) { top = AT(5 + k); which = k; }
    r = int(gl_FragCoord.x) == 0 ? top * AT(4) : float(which);
}
