#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "tiles.glsl"

uniform sampler2D u_pooled;
uniform ivec2 u_size;
uniform int u_columns;
out float o_mean;

void main() {
    int channel = int(gl_FragCoord.y) * u_columns + int(gl_FragCoord.x);
    float total = 0.0;
    for (int band = 0; band < u_size.y; band++) {
        for (int frame = 0; frame < u_size.x; frame++) {
            total += readTile(u_pooled, channel, u_columns, u_size, band, frame);
        }
    }
    o_mean = total / float(u_size.x * u_size.y);
}
