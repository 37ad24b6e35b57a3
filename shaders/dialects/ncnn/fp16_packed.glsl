// ncnn's GLSL extension, 16 bits by packHalf2x16: a single number, which nothing can be packed with, stays a float.
#define sfp float
#define sfp2lfp(v) (v)
#define buffer_sm1(buf, i) (buf[i])

#define ncnn_get(buf, i) (buf[i])
#define ncnn_set(buf, i, v) { buf[i] = (v); }
#define buffer_ld1(buf, i) afp(buf[i])
#define buffer_st1(buf, i, v) { buf[i] = float(v); }
#define buffer_cp1(buf, i, from, at) { buf[i] = from[at]; }
