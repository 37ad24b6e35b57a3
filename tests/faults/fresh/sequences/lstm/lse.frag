#version 330
uniform sampler2D s;
uniform int n;
out float o;
void main() {
    int r = int(gl_FragCoord.y);
    float m = texelFetch(s, ivec2(0, r), 0).r, t = 0.;
    for (int k = 1; k < n; k++) m = max(m, texelFetch(s, ivec2(k, r), 0).r);
    for (int k = 0; k < n; k++) t += exp(texelFetch(s, ivec2(k, r), 0).r - m);
    o = m + log(t);
}
