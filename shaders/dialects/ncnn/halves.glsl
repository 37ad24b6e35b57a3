// ncnn's GLSL extension, storage of 16 bits of two numbers and more: two halves in a uint, the first in its low bits.
vec4 ncnn_unpack4(uvec2 v) { return vec4(unpackHalf2x16(v.x), unpackHalf2x16(v.y)); }
uvec2 ncnn_pack4(vec4 v) { return uvec2(packHalf2x16(v.xy), packHalf2x16(v.zw)); }
mat2x4 ncnn_unpack8(uvec4 v) { return mat2x4(ncnn_unpack4(v.xy), ncnn_unpack4(v.zw)); }
uvec4 ncnn_pack8(mat2x4 v) { return uvec4(ncnn_pack4(v[0]), ncnn_pack4(v[1])); }

#define sfpvec2 uint
#define sfpvec4 uvec2
#define sfpvec8 uvec4
#define lfp float
#define lfpvec4 uvec2

#define sfp2lfpvec4(v) (v)
#define lfp2afp(v) afp(v)
#define lfp2afpvec4(v) afpvec4(ncnn_unpack4(v))
#define afp2lfp(v) float(v)
#define afp2lfpvec4(v) ncnn_pack4(vec4(v))
#define buffer_sm4(buf, i) (buf[i])

#define buffer_ld2(buf, i) afpvec2(unpackHalf2x16(buf[i]))
#define buffer_ld4(buf, i) afpvec4(ncnn_unpack4(buf[i]))
#define buffer_ld8(buf, i) afpvec8(ncnn_unpack8(buf[i]))
#define buffer_st2(buf, i, v) { buf[i] = packHalf2x16(vec2(v)); }
#define buffer_st4(buf, i, v) { buf[i] = ncnn_pack4(vec4(v)); }
#define buffer_st8(buf, i, v) { buf[i] = ncnn_pack8(mat2x4(v)); }
#define buffer_cp2(buf, i, from, at) { buf[i] = from[at]; }
#define buffer_cp4(buf, i, from, at) { buf[i] = from[at]; }
#define buffer_cp8(buf, i, from, at) { buf[i] = from[at]; }

#define ncnn_gather4(from, at) ncnn_pack4(vec4(ncnn_get(from, (at).x), ncnn_get(from, (at).y), ncnn_get(from, (at).z), ncnn_get(from, (at).w)))
#define ncnn_scatter4(buf, at, v) { ncnn_set(buf, (at).x, v.x) ncnn_set(buf, (at).y, v.y) ncnn_set(buf, (at).z, v.z) ncnn_set(buf, (at).w, v.w) }
#define buffer_cp1to4(buf, i, from, at4) { buf[i] = ncnn_gather4(from, at4); }
#define buffer_cp1to8(buf, i, from, at4, more4) { buf[i] = uvec4(ncnn_gather4(from, at4), ncnn_gather4(from, more4)); }
#define buffer_cp4to8(buf, i, from, at2) { buf[i] = uvec4(from[(at2).x], from[(at2).y]); }
#define buffer_cp4to1(buf, at4, from, i) { vec4 ncnn_v = ncnn_unpack4(from[i]); ncnn_scatter4(buf, at4, ncnn_v) }
#define buffer_cp8to1(buf, at4, more4, from, i) { mat2x4 ncnn_v = ncnn_unpack8(from[i]); ncnn_scatter4(buf, at4, ncnn_v[0]) ncnn_scatter4(buf, more4, ncnn_v[1]) }
#define buffer_cp8to4(buf, at2, from, i) { uvec4 ncnn_v = from[i]; buf[(at2).x] = ncnn_v.xy; buf[(at2).y] = ncnn_v.zw; }
