#version 330 core
// Group normalisation over channel tiles; scale and shift are a channel's.

uniform sampler2D t_x;
uniform sampler2D t_scale;
uniform sampler2D t_shift;

#define COLUMNS 3
#define PER_GROUP 3
#define TILE ivec2(4, 5)
#define PIXELS 20
#define EPSILON 0.01

out float y;

float pixel(int channel, int k) {
    ivec2 corner = ivec2(channel % COLUMNS, channel / COLUMNS) * TILE;
    return texelFetch(t_x, corner + ivec2(k % TILE.x, k / TILE.x), 0).r;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int channel = here.y / TILE.y * COLUMNS + here.x / TILE.x;
    int first = channel / PER_GROUP * PER_GROUP;

    float mean = 0.0;
    for (int c = first; c < first + PER_GROUP; c++)
        for (int k = 0; k < PIXELS; k++) mean += pixel(c, k);
    mean /= float(PER_GROUP * PIXELS);

    float variance = 0.0;
    for (int c = first; c < first + PER_GROUP; c++)
        for (int k = 0; k < PIXELS; k++) {
            float d = pixel(c, k) - mean;
            variance += d * d;
        }
    variance /= float(PER_GROUP * PIXELS);

    float x = texelFetch(t_x, here, 0).r;
    float normal = (x - mean) * inversesqrt(variance + EPSILON);
    ivec2 own = ivec2(channel % COLUMNS, channel / COLUMNS);
    float scale = texelFetch(t_scale, own, 0).r;
    float shift = texelFetch(t_shift, own, 0).r;
    y = normal * scale + shift;
}
