#version 330 core
// Channel (2 dy + dx) 2 + c becomes place (dy, dx) of the 2 x 2 texels of channel c; then GELU by tanh.

uniform sampler2D feature_map;

out float enlarged;

float gelu(float v) {
    float inner = 0.7978845608 * (v + 0.044715 * v * v * v);
    return 0.5 * v * (1.0 + tanh(inner));
}

void main() {
    ivec2 target = ivec2(gl_FragCoord.xy);
    int channel = target.x / 22;
    ivec2 pixel = ivec2(target.x % 22, target.y);
    ivec2 place = pixel / 2;
    ivec2 corner = pixel % 2;

    int from = (2 * corner.y + corner.x) * 2 + channel;
    enlarged = gelu(texelFetch(feature_map, ivec2(from % 3 * 11, from / 3 * 7) + place, 0).r);
}
