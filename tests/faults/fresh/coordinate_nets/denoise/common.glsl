// What HLSL has and GLSL does not.
#define float2 vec2
#define float3 vec3
#define float4 vec4
#define float4x4 mat4
#define int2 ivec2
#define mul(v, m) ((m) * (v))
#define EPS 0.01

bool outside(int2 p, int2 size) {
    return any(lessThan(p, int2(0))) || any(greaterThanEqual(p, size));
}

// A texel of a slice; slices stand one above the other, and around them is nothing.
float4 load(sampler2D map, int2 p, int slice, int2 size) {
    if (outside(p, size)) return float4(0.0);
    return texelFetch(map, int2(p.x, p.y + slice * size.y), 0);
}
