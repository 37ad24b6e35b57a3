#define SZ ivec2(14, 9)
#define T(s,q) texelFetch(s, q, 0)
#define IN(q) (all(greaterThanEqual(q, ivec2(0))) && all(lessThan(q, SZ)))
#define EDGE(q) clamp(q, ivec2(0), SZ - 1)
