#version 330 core
// Batch normalisation and a leaky ReLU over channel tiles.

uniform sampler2D u_x;
uniform sampler2D u_scale;
uniform sampler2D u_shift;
uniform sampler2D u_mean;
uniform sampler2D u_variance;
uniform ivec2 u_size;
uniform int u_columns;
uniform float u_epsilon;
uniform float u_slope;

out float y;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int channel = texel.y / u_size.y * u_columns + texel.x / u_size.x;
    ivec2 c = ivec2(channel, 0);

    float x = texelFetch(u_x, texel, 0).r;
    float mean = texelFetch(u_mean, c, 0).r;
    float variance = texelFetch(u_variance, c, 0).r;
    float normal = (x - mean) / sqrt(variance + u_epsilon);
    float scaled = normal * texelFetch(u_scale, c, 0).r;
    float shifted = scaled + texelFetch(u_shift, c, 0).r;
    y = shifted < 0.0 ? shifted * u_slope : shifted;
}
