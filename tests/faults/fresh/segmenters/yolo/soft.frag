#version 330
// soft suppression: a score shrinks by every better box that overlaps
uniform sampler2D OVERLAP, BEST;
uniform float sigma;
uniform int total;
out float r;

#define SCORE(row) texelFetch(BEST, ivec2(0, row), 0).r
#define IOU(i, j) texelFetch(OVERLAP, ivec2(j, i), 0).r

void main() {
    int i = int(gl_FragCoord.y);
    float mine = SCORE(i), away = 0.0;
    for (int j = 0; j < total; ++j)
        if (SCORE(j) > mine) away += IOU(i, j) * IOU(i, j);
    r = mine * exp(-away / sigma);
}
