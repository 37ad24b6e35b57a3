// Shaders that are not read: the line that says so, and what is said of it behind the sign <.

//# out without a value
void f(out float a) { a += 1.0; }  // < 'a', which is read before
vec4 own(vec4 t, vec4 u) {
    f(t.x);
    return t;
}

//# out that is never assigned
void f(out float a) {}  // < 'a', which is read before
vec4 own(vec4 t, vec4 u) {
    f(t.x);
    return t;
}

//# a variable without a value
vec4 own(vec4 t, vec4 u) {
    float s;  // < 's', which is read before
    s += t.x;
    return vec4(s);
}

//# one variable twice
void f(inout float a, inout float b) { a = b + 1.0; b = 2.0 * a; }
vec4 own(vec4 t, vec4 u) {
    f(t.x, t.x);  // < a call of f() that gets one variable twice
    return t;
}

//# read and changed
float f(inout float a) { a *= 2.0; return a; }
vec4 own(vec4 t, vec4 u) {
    float x = t.x;
    x = x + f(x);  // < an expression that reads 'x' and changes it too
    return vec4(x);
}

//# read and stepped
vec4 own(vec4 t, vec4 u) {
    int i = 1;
    i = i + i++;  // < an expression that reads 'i' and changes it too
    return t * float(i);
}

//# a global read and changed
float g = 1.0;
float f() { g += 1.0; return g; }
vec4 own(vec4 t, vec4 u) {
    float x = g + f();  // < an expression that reads 'g' and changes it too
    return t * x;
}

//# no result
float f(int n) { if (n > 1) return 1.0; }  // < f() without a result
vec4 own(vec4 t, vec4 u) {
    return t * f(1);
}

//# a loop of fractions
vec4 own(vec4 t, vec4 u) {
    for (float x = 0.0; x < 1.0; x += 0.1) t += 1.0;  // < so near
    return t;
}

//# a rounding of fractions
vec4 own(vec4 t, vec4 u) {
    return t * float(int(0.29 * 100.0));  // < a rounding of 28.99
}

//# more than 32 bits
vec4 own(vec4 t, vec4 u) {
    int n = 65536;
    n = n * n;  // < more than 32 bits
    return t + float(n);
}

//# a decision about texels
void f(inout float a) { if (a > 0.5) a = 1.0; }  // < a decision (>)
vec4 own(vec4 t, vec4 u) {
    f(t.x);
    return t;
}

//# a constant that cancels out
vec4 own(vec4 t, vec4 u) {
    t += 1000.0;
    return t - 1000.0;  // < a sum in which 1000 cancels out
}
//# a smooth step down
vec4 own(vec4 a, vec4 b) {
    return smoothstep(0.75, 0.25, a); // < smoothstep() between values that are no rising numbers
}
