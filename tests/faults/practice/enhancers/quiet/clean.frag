#version 330
#include "tiles.glsl"

uniform sampler2D join;
uniform sampler2D noisy;
out float clean;

const ivec2 SIZE = ivec2(20, 12);

// Nine taps for each colour, row by row; the inputs in the lanes.
const vec4 KERNEL[27] = vec4[27](
    vec4(0.2151, 0.0850, 0.3047, 0.0343),
    vec4(0.4774, -0.4133, 0.2313, -0.1567),
    vec4(-0.1993, 0.1170, -0.0780, -0.1591),
    vec4(0.4716, -0.2846, -0.0127, 0.0839),
    vec4(-0.0820, -0.1200, -0.1210, 0.1043),
    vec4(0.4367, 0.2016, 0.1432, -0.2943),
    vec4(0.0466, -0.2509, -0.0189, 0.2124),
    vec4(0.0283, -0.1148, -0.0832, -0.2166),
    vec4(-0.5362, 0.1469, -0.1274, -0.1269),
    vec4(0.1170, 0.1145, -0.3916, -0.0180),
    vec4(-0.0905, -0.1983, 0.1223, 0.0284),
    vec4(-0.3089, -0.0342, 0.0986, 0.1917),
    vec4(0.2228, -0.0899, -0.1929, 0.0189),
    vec4(-0.0675, -0.0041, -0.1785, 0.5478),
    vec4(-0.0225, -0.3732, -0.1589, -0.1688),
    vec4(0.1356, -0.0609, -0.1147, 0.0084),
    vec4(0.1931, 0.0377, 0.3461, 0.0033),
    vec4(0.2447, 0.2141, -0.1736, 0.0596),
    vec4(0.2580, -0.1402, -0.1182, 0.0534),
    vec4(0.0555, 0.0663, -0.0302, 0.1181),
    vec4(-0.0602, 0.0840, 0.1811, 0.0173),
    vec4(-0.1603, 0.1406, -0.1091, -0.0587),
    vec4(-0.0026, -0.1367, 0.4066, 0.2852),
    vec4(-0.1464, 0.4376, 0.0737, -0.4477),
    vec4(0.2092, -0.2823, -0.0539, 0.0396),
    vec4(0.0259, -0.2291, 0.3154, -0.3769),
    vec4(-0.4324, -0.1313, 0.0643, 0.2498)
);
const vec3 BIAS = vec3(-0.0756, 0.1125, 0.0533);

vec4 inputs(ivec2 at) {
    return vec4(
        fetch_or_zero(join, 2, SIZE, 0, at),
        fetch_or_zero(join, 2, SIZE, 1, at),
        fetch_or_zero(join, 2, SIZE, 2, at),
        fetch_or_zero(join, 2, SIZE, 3, at)
    );
}

void main() {
    Element e = element(ivec2(gl_FragCoord.xy), 2, SIZE);
    if (e.c > 2) {
        clean = 0.0;
        return;
    }
    float residue = BIAS[e.c];
    for (int tap = 0; tap < 9; tap++) {
        ivec2 step = ivec2(tap % 3, tap / 3) - ivec2(1);
        residue += dot(KERNEL[e.c * 9 + tap], inputs(e.at + step));
    }
    clean = fetch(noisy, 2, SIZE, e.c, e.at) - residue;
}
