#version 330 core
// The largest of two by two. Tiles keep their places, at half the size.
uniform sampler2D t_X;

out float Y;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy) * 2;
    float a = texelFetch(t_X, p, 0).r;
    float b = texelFetch(t_X, p + ivec2(1, 0), 0).r;
    float c = texelFetch(t_X, p + ivec2(0, 1), 0).r;
    float d = texelFetch(t_X, p + ivec2(1, 1), 0).r;
    Y = max(max(a, b), max(c, d));
}
