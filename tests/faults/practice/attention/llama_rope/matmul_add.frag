#version 330
// A projection back into the stream.
uniform sampler2D x;
uniform sampler2D w;
uniform sampler2D stream;
uniform int inner;
out float y;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    float sum = texelFetch(stream, pos, 0).x;
    for (int i = 0; i < inner; i++) {
        float a = texelFetch(x, ivec2(i, pos.y), 0).x;
        float b = texelFetch(w, ivec2(i, pos.x), 0).x;
        sum += a * b;
    }
    y = sum;
}
