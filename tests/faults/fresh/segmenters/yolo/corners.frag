#version 330
// x y w h -> left top right bottom, held inside the image
uniform sampler2D BOXES;
uniform vec2 image;
out float r;

#define AT(col) texelFetch(BOXES, ivec2(col, row), 0).r

void main() {
    int side = int(gl_FragCoord.x), row = int(gl_FragCoord.y), axis = side & 1;
    float centre = AT(axis), extent = AT(axis + 2);
    r = side < 2 ? centre - 0.5 * extent : centre + 0.5 * extent;
    r = clamp(r, 0.0, image[axis]);
}
