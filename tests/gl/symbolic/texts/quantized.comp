#version 430
// int8 weights in words, scales a row, sums of whole numbers; requantised by rounding
layout(local_size_x = 8, local_size_y = 4) in;
layout(std430) readonly buffer In { float src[]; };
layout(std430) writeonly buffer Out { float dst[]; };
uniform ivec2 size;
uniform float scale;

int quantised(float v) { return clamp(int(round(v * scale)), -128, 127); }

ivec4 unpacked(uint word) {
    return ivec4(int(word << 24) >> 24, int(word << 16) >> 24, int(word << 8) >> 24, int(word) >> 24);
}

uint into_word(ivec4 q) {
    uvec4 b = uvec4(q & 0xff);
    return b.x | (b.y << 8u) | (b.z << 16u) | (b.w << 24u);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x >= size.x || at.y >= size.y) return;
    int sum = 0;
    for (int k = 0; k < 5; ++k) {
        int base = at.y * 40 + k * 4;
        ivec4 a = ivec4(quantised(src[base]), quantised(src[base + 1]), quantised(src[base + 2]), quantised(src[base + 3]));
        ivec4 b = unpacked(into_word(a.wzyx + at.x));
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    dst[at.y * size.x + at.x] = float(sum) / (scale * scale);
}
