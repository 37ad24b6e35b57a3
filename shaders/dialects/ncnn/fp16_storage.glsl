// ncnn's GLSL extension, single numbers of 16 bits, for which OpenGL has no type: number i is half i of an array of uints.
// Two invocations may write the halves of one uint, so that each clears and sets its own bits alone.
#define sfp uint
#define sfp2lfp_of(buf, i) ncnn_get(buf, i)
#define buffer_sm1(buf, i) ncnn_get(buf, i)

float ncnn_half_of(uint pair, uint i) { return unpackHalf2x16(pair >> ((i & 1u) * 16u)).x; }
uint ncnn_half_at(float v, uint i) { return (packHalf2x16(vec2(v, 0.0)) & 0xffffu) << ((i & 1u) * 16u); }

#define ncnn_get(buf, i) ncnn_half_of(buf[uint(i) >> 1], uint(i))
#define ncnn_set(buf, i, v) { atomicAnd(buf[uint(i) >> 1], 0xffff0000u >> ((uint(i) & 1u) * 16u)); atomicOr(buf[uint(i) >> 1], ncnn_half_at(v, uint(i))); }
#define buffer_ld1(buf, i) afp(ncnn_get(buf, i))
#define buffer_st1(buf, i, v) ncnn_set(buf, i, float(v))
#define buffer_cp1(buf, i, from, at) ncnn_set(buf, i, ncnn_get(from, at))
