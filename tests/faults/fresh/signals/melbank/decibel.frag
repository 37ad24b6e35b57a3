#version 330
#include "lanes.glsl"
// decibels above FLOOR, against what a band has on average over the frames
uniform sampler2D MEL;
uniform int WIDTH, BANDS, FRAMES;
out vec4 res;
#define FLOOR 1e-4
#define DB(v) (10.0 / log(10.0) * log(max(v, FLOOR)))
void main() {
    FOR_LANES(i) {
        int m = i % BANDS;
        float s = 0.0;
        for (int t = 0; t < FRAMES; ++t) s += DB(MAT(MEL, t, m, BANDS));
        res[lane] = DB(EL(MEL, i)) - s / float(FRAMES);
    }
}
