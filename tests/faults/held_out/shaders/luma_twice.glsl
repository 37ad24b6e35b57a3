//!DESC twice as large
//!HOOK LUMA
//!BIND LUMA
//!SAVE pixels
//!COMPONENTS 4
vec4 hook()
{
vec4 res = vec4(0.0725,-0.1130,0.2480,0.0316);
res += vec4(0.4310,-0.2270,0.1190,0.3350) * float(LUMA_texOff(vec2(-1,0)));
res += vec4(0.2170,0.5830,-0.4090,0.1460) * float(LUMA_texOff(vec2(0,0)));
res += vec4(-0.3570,0.2640,0.6710,-0.1820) * float(LUMA_texOff(vec2(0,1)));
res = max(res, vec4(0.0)) + vec4(0.3840,-0.2150,0.7730,1.2460) * min(res, vec4(0.0));
return vec4(res);
}

//!DESC aggregation
//!HOOK LUMA
//!BIND pixels
//!WIDTH LUMA.w 2 *
//!HEIGHT LUMA.h 2 *
vec4 hook()
{
vec2 fcoord = fract(pixels_pos * pixels_size);
ivec2 index = ivec2(fcoord * vec2(2));
return vec4(pixels_tex(pixels_pos + (vec2(0.5) - fcoord) * pixels_pt)[index.x * 2 + index.y], 0, 0, 1);
}
