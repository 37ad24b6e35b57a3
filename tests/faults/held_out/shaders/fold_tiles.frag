#version 330 core
// Blocks of 2x2 pixels become channels.

#define H 3
#define W 4
#define BLOCK 2
#define CHANNELS 2
#define SLOT(k, columns) ivec2((k) % (columns), (k) / (columns))

uniform sampler2D u_wide;

out float folded;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int channel = texel.y / H * 3 + texel.x / W;
    ivec2 p = texel % ivec2(W, H);
    int source = channel % CHANNELS;
    int place = channel / CHANNELS;
    ivec2 from = p * BLOCK + SLOT(place, BLOCK);
    folded = channel < 8 ? texelFetch(u_wide, SLOT(source, 2) * ivec2(W, H) * BLOCK + from, 0).r : 0.0;
}
