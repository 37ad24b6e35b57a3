#version 330
// Row = group of four channels: column 0 its mean, column 1 what to multiply by.
#include "packed.glsl"
uniform sampler2D tex_h;
uniform float eps;
out float outValue;

void main() {
    int group = int(gl_FragCoord.y);
    float count = float(4 * WID * HGT);

    vec4 sums = vec4(0.0);
    for (int y = 0; y < HGT; y++)
        for (int x = 0; x < WID; x++)
            sums += feature(tex_h, group, ivec2(x, y));
    float mean = dot(sums, vec4(1.0)) / count;

    float squares = 0.0;
    for (int y = 0; y < HGT; y++)
        for (int x = 0; x < WID; x++) {
            vec4 away = feature(tex_h, group, ivec2(x, y)) - mean;
            squares += dot(away, away);
        }
    float variance = squares / count;

    outValue = int(gl_FragCoord.x) == 0 ? mean : 1.0 / sqrt(variance + eps);
}
