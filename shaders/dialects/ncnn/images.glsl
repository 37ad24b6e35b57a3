// ncnn's GLSL extension, blobs in images: eight channels are two texels side by side.
int ncnn_half_texel(int p, int half_) { return p * 2 + half_; }
ivec2 ncnn_half_texel(ivec2 p, int half_) { return ivec2(p.x * 2 + half_, p.y); }
ivec3 ncnn_half_texel(ivec3 p, int half_) { return ivec3(p.x * 2 + half_, p.yz); }

#define ncnn_image_ld1(tex, p) afp(texelFetch(tex, p, 0).x)
#define ncnn_image_ld4(tex, p) afpvec4(texelFetch(tex, p, 0))
#define ncnn_image_ld8(tex, p) afpvec8(texelFetch(tex, ncnn_half_texel(p, 0), 0), texelFetch(tex, ncnn_half_texel(p, 1), 0))
#define ncnn_image_st1(img, p, v) { imageStore(img, p, vec4(float(v), 0.0, 0.0, 0.0)); }
#define ncnn_image_st4(img, p, v) { imageStore(img, p, vec4(v)); }
#define ncnn_image_st8(img, p, v) { imageStore(img, ncnn_half_texel(p, 0), vec4((v)[0])); imageStore(img, ncnn_half_texel(p, 1), vec4((v)[1])); }
#define ncnn_image_cp(img, p, tex, q) { imageStore(img, p, texelFetch(tex, q, 0)); }
#define ncnn_image_cp8(img, p, tex, q) { ncnn_image_cp(img, ncnn_half_texel(p, 0), tex, ncnn_half_texel(q, 0)) ncnn_image_cp(img, ncnn_half_texel(p, 1), tex, ncnn_half_texel(q, 1)) }

#define image1d_ld1(tex, p) ncnn_image_ld1(tex, p)
#define image1d_st1(img, p, v) ncnn_image_st1(img, p, v)
#define image1d_cp1(img, p, tex, q) ncnn_image_cp(img, p, tex, q)
#define image1d_ld4(tex, p) ncnn_image_ld4(tex, p)
#define image1d_st4(img, p, v) ncnn_image_st4(img, p, v)
#define image1d_cp4(img, p, tex, q) ncnn_image_cp(img, p, tex, q)
#define image1d_ld8(tex, p) ncnn_image_ld8(tex, p)
#define image1d_st8(img, p, v) ncnn_image_st8(img, p, v)
#define image1d_cp8(img, p, tex, q) ncnn_image_cp8(img, p, tex, q)
#define image2d_ld1(tex, p) ncnn_image_ld1(tex, p)
#define image2d_st1(img, p, v) ncnn_image_st1(img, p, v)
#define image2d_cp1(img, p, tex, q) ncnn_image_cp(img, p, tex, q)
#define image2d_ld4(tex, p) ncnn_image_ld4(tex, p)
#define image2d_st4(img, p, v) ncnn_image_st4(img, p, v)
#define image2d_cp4(img, p, tex, q) ncnn_image_cp(img, p, tex, q)
#define image2d_ld8(tex, p) ncnn_image_ld8(tex, p)
#define image2d_st8(img, p, v) ncnn_image_st8(img, p, v)
#define image2d_cp8(img, p, tex, q) ncnn_image_cp8(img, p, tex, q)
#define image3d_ld1(tex, p) ncnn_image_ld1(tex, p)
#define image3d_st1(img, p, v) ncnn_image_st1(img, p, v)
#define image3d_cp1(img, p, tex, q) ncnn_image_cp(img, p, tex, q)
#define image3d_ld4(tex, p) ncnn_image_ld4(tex, p)
#define image3d_st4(img, p, v) ncnn_image_st4(img, p, v)
#define image3d_cp4(img, p, tex, q) ncnn_image_cp(img, p, tex, q)
#define image3d_ld8(tex, p) ncnn_image_ld8(tex, p)
#define image3d_st8(img, p, v) ncnn_image_st8(img, p, v)
#define image3d_cp8(img, p, tex, q) ncnn_image_cp8(img, p, tex, q)
