#version 330
// y[t][o] = sum over i of x[t][i] * w[o][i]
uniform sampler2D x;
uniform sampler2D w;
uniform int inner;
out float y;

void main() {
    int o = int(gl_FragCoord.x), t = int(gl_FragCoord.y);
    float sum = 0.0;
    for (int i = 0; i < inner; i++)
        sum += texelFetch(x, ivec2(i, t), 0).x * texelFetch(w, ivec2(i, o), 0).x;
    y = sum;
}
