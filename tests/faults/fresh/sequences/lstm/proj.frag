#version 330
uniform sampler2D h, V, d;
uniform float lim;
out float o;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    float a = 0.;
    for (int k = textureSize(h, 0).x - 1; k >= 0; k--)
        a += texelFetch(h, ivec2(k, p.y), 0).r * texelFetch(V, ivec2(k, p.x), 0).r;
    a += texelFetch(d, ivec2(p.x, 0), 0).r;
    o = clamp(a, -lim, lim);
}
