// Shaders that are read as the driver draws them: own(t, u) of a texel and of its right neighbour.

//# inout adds
void f(inout float a) { a = a + a; }
vec4 own(vec4 t, vec4 u) {
    f(t.x);
    return t;
}

//# inout sorts
void f(inout vec4 a, inout vec4 b) { vec4 m = min(a, b); b = max(a, b); a = m; }
vec4 own(vec4 t, vec4 u) {
    f(t, u);
    return t - 0.5 * u;
}

//# out of a swizzle
void f(out vec2 a, vec4 b) { a = b.zy; }
vec4 own(vec4 t, vec4 u) {
    f(t.xz, u);
    return t;
}

//# out of lanes turned
void f(out vec3 a, vec4 b) { a = b.xyz; }
vec4 own(vec4 t, vec4 u) {
    f(t.bgr, u);
    return t;
}

//# inout of an element
void f(inout float a, float b) { a += b; }
vec4 own(vec4 t, vec4 u) {
    float k[3] = float[3](0.5, 1.0, 2.0);
    for (int i = 0; i < 3; i++) f(k[i], t.x);
    return vec4(k[1] - 2.0 * k[2]);
}

//# inout of a member
struct S { vec4 a; float b; };
void f(inout S s) { s.a.yz = s.a.zy; s.b *= 3.0; }
void g(inout float b) { b -= 1.0; }
vec4 own(vec4 t, vec4 u) {
    S s = S(t, u.x);
    f(s);
    g(s.b);
    return s.a * 2.0 + vec4(s.b);
}

//# inout of a whole array
void f(inout vec4 k[2]) { vec4 h = k[0]; k[0] = k[1]; k[1] = 2.0 * h; }
vec4 own(vec4 t, vec4 u) {
    vec4 k[2];
    k[0] = t;
    k[1] = u;
    f(k);
    return k[0] - k[1];
}

//# inout of a matrix's column
void f(inout vec2 c) { c = 2.0 * c.yx; }
vec4 own(vec4 t, vec4 u) {
    mat2 m = mat2(1.0, 2.0, 3.0, 4.0);
    f(m[1]);
    return vec4(m * t.xy, t.zw);
}

//# nested calls
void f(inout float a) { a *= 2.0; }
void g(inout float a, out float b) { b = a; f(a); f(b); f(b); }
vec4 own(vec4 t, vec4 u) {
    float b;
    g(t.x, b);
    return vec4(t.x, b, t.zw);
}

//# inout behind a macro
#define SWAP(a, b) swap(a, b)
#define IO inout
void swap(IO float a, IO float b) { float c = a; a = b; b = c; }
vec4 own(vec4 t, vec4 u) {
    SWAP(t.x, t.y);
    SWAP(t.y, t.z);
    return t;
}

//# inout and an early return
void f(inout vec4 a, int n) { a *= 2.0; if (n > 1) return; a += 1.0; }
vec4 own(vec4 t, vec4 u) {
    f(t, 1);
    f(u, 2);
    return t + u;
}

//# inout in a loop that ends early
float f(inout vec4 a) { for (int i = 0; i < 5; i++) { a += 1.0; if (i == 2) return a.x; } return a.y; }
vec4 own(vec4 t, vec4 u) {
    float x = f(t);
    return t * 0.5 + x;
}

//# inout of int
void f(inout int n) { n = n / 2; }
vec4 own(vec4 t, vec4 u) {
    int n = 7;
    f(n);
    f(n);
    return t * float(n) / 2.0;
}

//# inout of a global
vec4 g = vec4(1.0);
void f(inout vec4 a) { a += g; g = a * 2.0; }
vec4 own(vec4 t, vec4 u) {
    g = t;
    f(u);
    f(g);
    return g + u;
}

//# a value stays inside
float f(float a) { a = a * 2.0; return a; }
vec4 own(vec4 t, vec4 u) {
    float x = f(t.x);
    return t + x;
}

//# an array's value stays inside
float f(float k[2]) { k[0] = 9.0; return k[0] + k[1]; }
vec4 own(vec4 t, vec4 u) {
    float k[2] = float[](t.x, t.y);
    float s = f(k);
    return vec4(k[0], k[1], s, 1.0);
}

//# an array is copied
vec4 own(vec4 t, vec4 u) {
    float a[2] = float[2](t.x, t.y);
    float b[2] = a;
    b[0] = 5.0;
    return vec4(a[0], b[0], b[1], a[1]);
}

//# const in
float f(const in float a, in highp float b) { return a - 2.0 * b; }
vec4 own(vec4 t, vec4 u) {
    return vec4(f(t.x, t.y), t.yzw);
}

//# inner scopes
vec4 own(vec4 t, vec4 u) {
    float x = t.x;
    { float x = t.y; x += 1.0; { float x = x * 2.0; t.z = x; } t.w = x; }
    t.x = 3.0 * x;
    return t;
}

//# a loop's own variable
vec4 own(vec4 t, vec4 u) {
    int i = 7;
    for (int i = 0; i < 2; i++) t += 1.0;
    return t * float(i);
}

//# a parameter named as a global
float x = 3.0;
float f(float x) { x += 1.0; return x; }
vec4 own(vec4 t, vec4 u) {
    return vec4(f(t.x) * x);
}

//# functions change globals
vec4 acc = vec4(0.0);
void add(vec4 v) { acc += v; }
vec4 own(vec4 t, vec4 u) {
    add(t);
    add(2.0 * u);
    return acc;
}

//# swizzles assigned
vec4 own(vec4 t, vec4 u) {
    vec4 v = t;
    v.xy = v.yx;
    v.zw *= 2.0;
    v.wzyx += u;
    v.rb -= vec2(1.0, 2.0);
    return v;
}

//# lanes assigned by number
vec4 own(vec4 t, vec4 u) {
    vec4 v = t;
    for (int i = 0; i < 4; i++) v[i] *= float(i);
    v.zw[1] = 2.0;
    return v;
}

//# a matrix's elements assigned
vec4 own(vec4 t, vec4 u) {
    mat4 m = mat4(1.0);
    m[1] = vec4(2.0);
    m[2][3] = 5.0;
    m[3].xy = vec2(7.0);
    return m * t;
}

//# assignments as values
vec4 own(vec4 t, vec4 u) {
    float a, b;
    a = b = t.x;
    vec4 v;
    v.y = (v.x = a + 1.0) * 2.0;
    return vec4(v.xy, b *= 3.0, 1.0);
}

//# steps as values
vec4 own(vec4 t, vec4 u) {
    float k[4] = float[](1.0, 2.0, 3.0, 4.0);
    int i = 0;
    float s = k[i++];
    s += 10.0 * k[++i];
    return t * s + float(i--) * float(i);
}

//# commas
vec4 own(vec4 t, vec4 u) {
    int j = 4;
    for (int i = 0; i < j; i++, j--) t += 1.0;
    float a = (t.x *= 2.0, t.x + 1.0);
    return t + a;
}

//# choices
vec4 own(vec4 t, vec4 u) {
    int n = 3;
    float a = n > 2 ? t.x : t.y;
    float b = n == 2 || n < 0 ? 1 : 0.5;
    return vec4(a, b / 2.0, n > 2 && n != 4 ? 1.0 : 2.0, t.w);
}

//# the right side of && is not run
vec4 own(vec4 t, vec4 u) {
    int n = 0;
    if (n > 0 && n++ < 9) t *= 2.0;
    int m = 3;
    if (n == 0 || ++m > 9) t += 1.0;
    return t * float(n + 1) + float(m);
}

//# break and continue
vec4 own(vec4 t, vec4 u) {
    for (int i = 0; i < 9; i++) { if (i == 1) continue; if (i == 3) break; t += float(i); }
    return t;
}

//# whole division
vec4 own(vec4 t, vec4 u) {
    int a = 7, b = 2;
    return t * float(a / b) + float(-a / b) + float(a % b) + 7 / 2;
}

//# floats of whole numbers
float f(float x) { return x / 2; }
float g() { return 1; }
vec4 own(vec4 t, vec4 u) {
    float a = 1;
    a = 3;
    return vec4(f(1), g() / 2, a / 2, 1.0) + t;
}

//# vectors of whole numbers
vec4 own(vec4 t, vec4 u) {
    vec2 p = ivec2(3, 5);
    vec2 q = vec2(3, 5);
    float k[2];
    k[0] = 1;
    k[1] = 3;
    return vec4(p / 2, (q / 2).y, k[0] / 2) + t;
}

//# functions of whole numbers
vec4 own(vec4 t, vec4 u) {
    return vec4(sqrt(4) / 3, max(1, 2.0) / 4, floor(5.0) / 2, abs(-3) / 2) + t;
}

//# octal, hexadecimal
vec4 own(vec4 t, vec4 u) {
    return t * float(010) + float(0x1F) + float(7u / 2u);
}

//# truth values
vec4 own(vec4 t, vec4 u) {
    bool b = true;
    bool c = bool(0.5);
    bvec2 d = bvec2(0, 3);
    return t * float(b) + float(c == b) + float(d.x) + float(!d.y);
}

//# bits
vec4 own(vec4 t, vec4 u) {
    int n = 6;
    return t * float(n & 3) + float(n >> 1) + float((n << 2) | 1) + float(n ^ 3);
}

//# vectors compared
vec4 own(vec4 t, vec4 u) {
    return ivec2(1, 2) == ivec2(1, 3) ? t : u;
}

//# array constructors
const float k[3] = float[3](0.25, 0.5, 0.25);
const vec4 w[] = vec4[](vec4(1.0), vec4(0.5));
vec4 own(vec4 t, vec4 u) {
    return t * k[1] + u * k[2] + w[1] * float(w.length());
}

//# a size behind the type
float f(float[2] k) { k[0] = 0.5; return k[0] + k[1]; }
vec4 own(vec4 t, vec4 u) {
    float[2] k = float[2](t.x, t.y);
    return vec4(f(k), k[0], k[1], 1.0);
}

//# lists
const float k[3] = {0.25, 0.5, 0.25};
const vec2 p[2] = {{1, 2}, {3, 4}};
struct S { vec2 a; float b; };
const S s = {{1.0, 2.0}, 3.0};
vec4 own(vec4 t, vec4 u) {
    return t * k[1] + vec4(p[1], p[0] / 4) + vec4(s.a, s.b, 0.0);
}

//# arrays of arrays
const float k[2][3] = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
vec4 own(vec4 t, vec4 u) {
    float m[2][2];
    m[0] = float[2](t.x, t.y);
    m[1][0] = t.z;
    m[1][1] = k[1][2];
    return vec4(m[0][1], m[1][0], m[1][1], k[0][1]);
}

//# overloads
float f(float x) { return 2.0 * x; }
vec3 f(vec3 c) { return vec3(f(c.r), f(c.g), f(c.b)); }
float f(vec2 a, float b) { return a.x - b; }
vec4 own(vec4 t, vec4 u) {
    return vec4(f(t.rgb), f(t.xy, t.z));
}

//# overloads of int and float
float f(int n) { return float(n / 2); }
float f(float x) { return x / 2.0; }
vec4 own(vec4 t, vec4 u) {
    return vec4(f(3), f(3.0), f(t.x), f(int(3.5)));
}

//# an overload seen later
vec4 g(vec4 v) { return sqrt(v); }
vec4 sqrt(vec4 v) { return 2.0 * v; }
vec4 own(vec4 t, vec4 u) {
    return g(t) + sqrt(u);
}

//# prototypes
float f(float x);
float g(float x) { return f(x) + 1.0; }
float f(float x) { return 3.0 * x; }
vec4 own(vec4 t, vec4 u) {
    return vec4(g(t.x), t.yzw);
}

//# functions of vectors
vec4 own(vec4 t, vec4 u) {
    return vec4(inversesqrt(t.x + 1.0), length(t + 0.1), distance(t.xyz + 2.0, u.xyz), fma(t.x, u.y, 0.5));
}

//# more functions
vec4 own(vec4 t, vec4 u) {
    return vec4(1.0 / (t.y + 1.0), mod(5.5, 2.0) * t.z, dot(normalize(t.xyz + 1.0), vec3(1.0)), 1.0);
}

//# matrices of others
vec4 own(vec4 t, vec4 u) {
    mat4 m = mat4(mat2(1.0, 2.0, 3.0, 4.0));
    mat2 s = mat2(m);
    mat3x2 w = mat3x2(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    return m * t + vec4(s * t.xy, w * u.xyz);
}
//# limits that are texels
vec4 own(vec4 a, vec4 b) { return clamp(a * 1.5 - 0.25, min(a, b), max(a, b)) + clamp(b, 0.25, a.x + 0.25); }
//# a smooth step
vec4 own(vec4 a, vec4 b) { return smoothstep(0.25, 0.75, a) + smoothstep(vec4(-1.0), vec4(1.0, 2.0, 3.0, 4.0), b); }
//# the place of the fragment
vec4 own(vec4 a, vec4 b) {
    ivec2 at = ivec2(gl_FragCoord.xy);
    return a + 0.5 * texelFetch(MAIN_raw, at, 0) + 0.25 * MAIN_tex((gl_FragCoord.xy + vec2(1.0, 0.0)) * MAIN_pt) * gl_FragCoord.w;
}
//# a kernel that the size of the picture sets
vec4 own(vec4 a, vec4 b) {
    float sigma = 0.02 * MAIN_size.y;
    int half_size = int(ceil(sigma * 2.0)) / 2;
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int i = -half_size; i <= half_size; i++) {
        float weight = exp(-0.5 * float(i * i) / (sigma * sigma)) * input_size.x;
        sum += weight * MAIN_texOff(vec2(float(i), 0.0));
        total += weight;
    }
    return sum / total + MAIN_size.x * 0.001 * MAIN_tex(MAIN_pos + vec2(MAIN_pt.x, -2.0 / input_size.y));
}
//# the end of a row of texels
vec4 own(vec4 a, vec4 b) { return a * (ceil(MAIN_pos.x * MAIN_size.x + 0.25) - floor(MAIN_pos.x * MAIN_size.x)); }
