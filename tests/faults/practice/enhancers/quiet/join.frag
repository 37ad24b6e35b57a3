#version 330
#include "tiles.glsl"

uniform sampler2D enter;
uniform sampler2D up;
out float join;

const ivec2 SIZE = ivec2(20, 12);

// A line for each input: four of the entry, then six from below.
const vec4 WEIGHT[10] = vec4[10](
    vec4(0.7041, 0.3957, 0.4018, -0.5170),
    vec4(-0.1155, 0.2168, 0.0883, 0.3727),
    vec4(0.2064, -0.5833, 0.3763, -0.0105),
    vec4(0.0869, 0.0336, 0.1712, -0.1150),
    vec4(0.6304, 0.1712, -0.0545, 0.2465),
    vec4(-0.9509, -0.2973, -0.2371, -0.5556),
    vec4(-0.4886, 0.3470, 0.3970, -0.0774),
    vec4(-0.6513, 0.1046, -0.2769, 0.3761),
    vec4(-0.0639, 0.6266, 0.4520, -0.0718),
    vec4(0.0050, -0.3599, -0.0818, 0.3621)
);
const vec4 BIAS = vec4(-0.1754, -0.1259, 0.1207, -0.3902);

void main() {
    Element e = element(ivec2(gl_FragCoord.xy), 2, SIZE);
    vec4 sum = BIAS;
    for (int c = 0; c < 4; c++) sum += WEIGHT[c] * fetch(enter, 2, SIZE, c, e.at);
    for (int c = 0; c < 6; c++) sum += WEIGHT[4 + c] * fetch(up, 3, SIZE, c, e.at);
    float own = sum[e.c];
    join = own > 0.0 ? own : 0.1 * own;
}
