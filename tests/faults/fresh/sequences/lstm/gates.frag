#version 330
uniform sampler2D x, h, W, R, b;
out float o;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int nx = textureSize(x, 0).x, nh = textureSize(h, 0).x;
    float a = texelFetch(b, ivec2(p.x, 0), 0).r;
    for (int k = 0; k < nx; k++)
        a += texelFetch(W, ivec2(k, p.x), 0).r * texelFetch(x, ivec2(k, p.y), 0).r;
    for (int k = 0; k < nh; k++)
        a += texelFetch(R, ivec2(k, p.x), 0).r * texelFetch(h, ivec2(k, p.y), 0).r;
    o = a;
}
