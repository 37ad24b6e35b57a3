// ncnn's GLSL extension, storage of 32 bits: sfp…8 are float, vec2, vec4 and two vec4.
#define sfp float
#define sfpvec2 vec2
#define sfpvec4 vec4
#define sfpvec8 mat2x4
#define sfpmat4 mat4
#define lfp float
#define lfpvec4 vec4

#define sfp2lfp(v) (v)
#define sfp2lfpvec4(v) (v)
#define lfp2afp(v) afp(v)
#define lfp2afpvec4(v) afpvec4(v)
#define afp2lfp(v) float(v)
#define afp2lfpvec4(v) vec4(v)
#define sfp2afpmat4(v) afpmat4(v)
#define afp2sfpmat4(v) mat4(v)
#define buffer_sm1(buf, i) (buf[i])
#define buffer_sm4(buf, i) (buf[i])

#define buffer_ld1(buf, i) afp(buf[i])
#define buffer_ld2(buf, i) afpvec2(buf[i])
#define buffer_ld4(buf, i) afpvec4(buf[i])
#define buffer_ld8(buf, i) afpvec8(buf[i])
#define buffer_st1(buf, i, v) { buf[i] = float(v); }
#define buffer_st2(buf, i, v) { buf[i] = vec2(v); }
#define buffer_st4(buf, i, v) { buf[i] = vec4(v); }
#define buffer_st8(buf, i, v) { buf[i] = mat2x4(v); }
#define buffer_cp1(buf, i, from, at) { buf[i] = from[at]; }
#define buffer_cp2(buf, i, from, at) { buf[i] = from[at]; }
#define buffer_cp4(buf, i, from, at) { buf[i] = from[at]; }
#define buffer_cp8(buf, i, from, at) { buf[i] = from[at]; }

#define ncnn_gather4(from, at) vec4(from[(at).x], from[(at).y], from[(at).z], from[(at).w])
#define ncnn_scatter4(buf, at, v) { buf[(at).x] = v.x; buf[(at).y] = v.y; buf[(at).z] = v.z; buf[(at).w] = v.w; }
#define buffer_cp1to4(buf, i, from, at4) { buf[i] = ncnn_gather4(from, at4); }
#define buffer_cp1to8(buf, i, from, at4, more4) { buf[i] = mat2x4(ncnn_gather4(from, at4), ncnn_gather4(from, more4)); }
#define buffer_cp4to8(buf, i, from, at2) { buf[i] = mat2x4(from[(at2).x], from[(at2).y]); }
#define buffer_cp4to1(buf, at4, from, i) { vec4 ncnn_v = from[i]; ncnn_scatter4(buf, at4, ncnn_v) }
#define buffer_cp8to1(buf, at4, more4, from, i) { mat2x4 ncnn_v = from[i]; ncnn_scatter4(buf, at4, ncnn_v[0]) ncnn_scatter4(buf, more4, ncnn_v[1]) }
#define buffer_cp8to4(buf, at2, from, i) { mat2x4 ncnn_v = from[i]; buf[(at2).x] = ncnn_v[0]; buf[(at2).y] = ncnn_v[1]; }
