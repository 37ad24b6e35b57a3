#version 430 core
#ifdef GL_ES
precision mediump float;
#endif
// what a text may have beside its work: prototypes, globals, nested structures and arrays, commas, every loop
uniform sampler2D u_image;
layout(location = 0) out vec4 o_color;

struct Inner { float w[3]; ivec2 at; };
struct Outer { Inner inner[2]; vec2 scale; };

const float K[3][3] = float[3][3](float[3](1., 2., 1.), float[3](2., 4., 2.), float[3](1., 2., 1.));
const vec3 TINTS[] = vec3[](vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1));
const mat3 YUV = mat3(0.299, 0.587, 0.114, -0.147, -0.289, 0.436, 0.615, -0.515, -0.100);
vec4 total = vec4(0.0);
float history[4];
int calls = 0;

float luma(vec3 c);
Outer made(const in vec2 p);

#define JOIN(a, b) a##b
#define CLAMPED(p) clamp(p, ivec2(0), textureSize(u_image, 0) - ivec2(1))

void add(float v) { history[calls & 3] = v; ++calls; }

float luma(vec3 c) {
    add(c.g);
    return (YUV * c).x + dot(c * YUV, vec3(0., 0., 1.));
}

Outer made(const in vec2 p) {
    Outer r;
    r.inner[0] = Inner(float[3](1., 2., 3.), ivec2(p));
    r.inner[1].w = r.inner[0].w;
    r.inner[1].w[2] *= -1.5;
    r.inner[1].at = ivec2(-p / 3.0);
    r.scale = p.yx * 0.01;
    return r;
}

vec4 walk(sampler2D t, ivec2 p) {
    vec4 sum = vec4(0);
    for (int i = 0, j = 8; i < j; i++, j--) {
        ivec2 q = CLAMPED(p + ivec2(i - 1, j - 7));
        sum += texelFetch(t, q, 0) * float(j - i);
        if (i == 2) continue;
        switch (i) { case 3: sum *= 0.5; break; default: sum.a += 0.25; }
    }
    return sum;
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    Outer o = made(gl_FragCoord.xy);
    for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++)
        total += K[y][x] * texelFetch(u_image, CLAMPED(p + ivec2(x, y) - 1), 0) / 16.0;
    float l = luma(total.rgb) + luma(total.brg), JOIN(un, used) = 2.0;
    mat2 m = mat2(1.0);
    m[0][1] += l;
    m *= mat2(0.0, 1.0, -1.0, 0.0);
    vec2 v = m * o.scale + transpose(m)[1];
    bvec3 above = greaterThan(total.rgb, vec3(0.1));
    int k = 0;
    for (;;) { if (k++ > 3) break; v = vec2(v.y, v.x + float(k % 3) * 0.125); }
    vec3 tint = TINTS[(p.x - 7) & 1] * (any(above) ? 1.0 : -1.0) + (all(above) ? TINTS[2] : vec3(unused));
    tint = mix(tint, vec3(-l), above);
    vec4 walked = walk(u_image, p);
    o_color = vec4(tint.xy + v, o.inner[1].w[2] + float(o.inner[1].at.x / 2) + history[1], float(calls) + history[0]);
    o_color.zw += walked.ba; o_color += reflect(walked, normalize(vec4(1., 2., 3., 4.))) * (isnan(l) ? 0. : 1.);
    if (p.x == 3) { o_color = total.wwww + float(-7 % 4 == -3) + float(-7 >> 1) + mod(-7.0, 4.0) + sign(l); return; }
    o_color *= length(cross(vec3(1, l, 0), vec3(0, 1, 1))) + determinant(mat3(1, 2, 0, 0, 1, l, 1, 0, 1));
}
