#version 430
// noise of a hash, a reciprocal square root by bits, a float that travels as an integer
layout(local_size_x = 8) in;
layout(std430) readonly buffer In { float src[]; };
layout(std430) readonly buffer Raw { uint raw[]; };
layout(std430) buffer Out { float dst[]; };

uint hash(uint x) {
    x ^= x >> 16; x *= 0x7feb352du;
    x ^= x >> 15; x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

float rsqrt_fast(float x) {
    int i = floatBitsToInt(x);
    i = 0x5f3759df - (i >> 1);
    float y = intBitsToFloat(i);
    for (int k = 0; k < 3; k++) y *= 1.5 - 0.5 * x * y * y;
    return y;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    float noise = float(hash(i * 31u + 7u)) / 4294967295.0;
    float sign_of = (floatBitsToUint(src[i]) & 0x80000000u) != 0u ? -1.0 : 1.0;
    dst[i] = noise + sign_of * rsqrt_fast(abs(src[i]) + 0.25) + uintBitsToFloat(raw[i + 1u])
        + float(bitfieldExtract(0xabcdu, 4, 8)) + float(bitCount(i) + findMSB(i + 1u));
}
