// ncnn's GLSL extension: types of arithmetic, and the macro for a size that is constant or pushed.
#if NCNN_fp16_arithmetic
#define afp float16_t
#define afpvec2 f16vec2
#define afpvec4 f16vec4
#define afpvec8 f16mat2x4
#define afpmat4 f16mat4
#else
#define afp float
#define afpvec2 vec2
#define afpvec4 vec4
#define afpvec8 mat2x4
#define afpmat4 mat4
#endif

#define psc(x) (x == 0 ? p.x : x)
#define ncnn_glsl_version 1
