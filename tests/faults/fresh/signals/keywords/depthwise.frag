#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "tiles.glsl"

// Each channel by its own 3 bands by 5 frames, frames two apart.

uniform sampler2D u_edges;
uniform sampler2D u_kernel;  // one row a channel and band of the kernel
uniform sampler2D u_bias;
uniform ivec2 u_size;
uniform ivec2 u_dilation;
uniform int u_columns;
out float o_depth;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / u_size;
    ivec2 place = texel % u_size;
    int channel = tile.y * u_columns + tile.x;

    float total = 0.0;
    for (int band = -1; band <= 1; band++) {
        for (int frame = -2; frame <= 2; frame++) {
            ivec2 source = place + ivec2(frame, band) * u_dilation;
            if (!isInside(source, u_size)) {
                continue;
            }
            float weight = texelFetch(u_kernel, ivec2(frame + 2, channel * 3 + band + 1), 0).r;
            total += weight * readTile(u_edges, channel, u_columns, u_size, source.y, source.x);
        }
    }
    o_depth = total + readVector(u_bias, channel);
}
