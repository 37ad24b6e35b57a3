#version 330
uniform sampler2D x;
uniform sampler2D weight;
uniform sampler2D bias;
uniform int width;
out float result;
void main() {
    int column = int(gl_FragCoord.x), row = int(gl_FragCoord.y);
    float sum = 0.0;
    for (int k = 0; k < width; k++) {
        sum += texelFetch(x, ivec2(k, row), 0).x * texelFetch(weight, ivec2(column, k), 0).x;
    }
    result = sum + texelFetch(bias, ivec2(column, 0), 0).x;
}
