#version 430
// weights of half precision, two a word, and results put back so
layout(local_size_x = 8) in;
layout(std430) readonly buffer Kernel { uint kernel[]; };
layout(std430) readonly buffer In { float src[]; };
layout(std430) buffer Out { uint dst[]; };
uniform int words;

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= words) return;
    vec2 w = unpackHalf2x16(kernel[i]);
    vec2 sum = vec2(0.0);
    for (int k = 0; k < 6; ++k) {
        vec2 other = unpackHalf2x16(kernel[(i + k) % words]);
        sum += w.yx * other * src[i * 6 + k];
    }
    dst[i] = packHalf2x16(sum);
}
