// ES 3.00's functions that pack two numbers in 32 bits, for a desktop driver before 4.20: the first in the lower half
uint es_half(float x) {
    uint bits = floatBitsToUint(x), sign = (bits >> 16) & 0x8000u, size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) return sign | 0x7e00u;
    // From 65520 on, the nearest is infinite.
    if (size >= 0x477ff000u) return sign | 0x7c00u;
    // Below 2^-14, a half is a multiple of 2^-24.
    if (size < 0x38800000u) return sign | uint(roundEven(uintBitsToFloat(size) * 16777216.0));
    return sign | ((size - 0x38000000u + 0xfffu + ((size >> 13) & 1u)) >> 13);
}

float es_float(uint half_bits) {
    uint sign = (half_bits & 0x8000u) << 16, exponent = (half_bits >> 10) & 31u, mantissa = half_bits & 1023u;
    if (exponent == 0u) return uintBitsToFloat(sign | floatBitsToUint(float(mantissa) / 16777216.0));
    if (exponent == 31u) return uintBitsToFloat(sign | 0x7f800000u | (mantissa << 13));
    return uintBitsToFloat(sign | (((exponent + 112u) << 23) | (mantissa << 13)));
}

uint packHalf2x16(vec2 v) {
    return es_half(v.x) | (es_half(v.y) << 16);
}

vec2 unpackHalf2x16(uint v) {
    return vec2(es_float(v & 0xffffu), es_float(v >> 16));
}

uint packSnorm2x16(vec2 v) {
    ivec2 i = ivec2(roundEven(clamp(v, -1.0, 1.0) * 32767.0));
    return (uint(i.x) & 0xffffu) | (uint(i.y) << 16);
}

vec2 unpackSnorm2x16(uint v) {
    return clamp(vec2(float(int(v << 16) >> 16), float(int(v) >> 16)) / 32767.0, -1.0, 1.0);
}

uint packUnorm2x16(vec2 v) {
    uvec2 u = uvec2(roundEven(clamp(v, 0.0, 1.0) * 65535.0));
    return u.x | (u.y << 16);
}

vec2 unpackUnorm2x16(uint v) {
    return vec2(float(v & 0xffffu), float(v >> 16)) / 65535.0;
}
