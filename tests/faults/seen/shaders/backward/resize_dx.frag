#version 330 core
// Gradient of an enlargement twice as large that repeats pixels, channels as tiles: four gradients add up.

uniform sampler2D u_dy;
uniform vec2 u_size;   // of a tile of dx, texels

out float o_dx;

void main() {
    vec2 texel = floor(gl_FragCoord.xy);
    vec2 tile = floor((texel + 0.5) / u_size);
    vec2 corner = tile * u_size * 2.0 + (texel - tile * u_size) * 2.0;

    float sum = 0.0;
    for (int v = 0; v < 2; v++)
        for (int u = 0; u < 2; u++)
            sum += texelFetch(u_dy, ivec2(corner) + ivec2(u, v), 0).r;
    o_dx = sum;
}
