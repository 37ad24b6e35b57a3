// Passes values through and records them: three words of bits per entry, matrices column by column.
// `site` is the number of the place in the text, and of its struct's member; beside it comes the number of the type, as
// `pipeline.step_trace.rewriting.sites` lists them.

highp uint trace_head(highp int site, highp uint type) {
    return uint(site) | type << 26u;
}

highp float trace_v(highp int site, highp float v) {
    trace_put(trace_head(site, 1u), floatBitsToUint(v));
    return v;
}

highp vec2 trace_v(highp int site, highp vec2 v) {
    trace_put(trace_head(site, 2u), floatBitsToUint(v));
    return v;
}

highp vec3 trace_v(highp int site, highp vec3 v) {
    trace_put(trace_head(site, 3u), floatBitsToUint(v));
    return v;
}

highp vec4 trace_v(highp int site, highp vec4 v) {
    highp uvec4 words = floatBitsToUint(v);
    trace_put(trace_head(site, 4u), words.xyz);
    trace_put(TRACE_MORE << 26u, words.w);
    return v;
}

highp int trace_v(highp int site, highp int v) {
    trace_put(trace_head(site, 5u), uint(v));
    return v;
}

highp ivec2 trace_v(highp int site, highp ivec2 v) {
    trace_put(trace_head(site, 6u), uvec2(v));
    return v;
}

highp ivec3 trace_v(highp int site, highp ivec3 v) {
    trace_put(trace_head(site, 7u), uvec3(v));
    return v;
}

highp ivec4 trace_v(highp int site, highp ivec4 v) {
    highp uvec4 words = uvec4(v);
    trace_put(trace_head(site, 8u), words.xyz);
    trace_put(TRACE_MORE << 26u, words.w);
    return v;
}

highp uint trace_v(highp int site, highp uint v) {
    trace_put(trace_head(site, 9u), v);
    return v;
}

highp uvec2 trace_v(highp int site, highp uvec2 v) {
    trace_put(trace_head(site, 10u), v);
    return v;
}

highp uvec3 trace_v(highp int site, highp uvec3 v) {
    trace_put(trace_head(site, 11u), v);
    return v;
}

highp uvec4 trace_v(highp int site, highp uvec4 v) {
    highp uvec4 words = v;
    trace_put(trace_head(site, 12u), words.xyz);
    trace_put(TRACE_MORE << 26u, words.w);
    return v;
}

bool trace_v(highp int site, bool v) {
    trace_put(trace_head(site, 13u), uint(v));
    return v;
}

bvec2 trace_v(highp int site, bvec2 v) {
    trace_put(trace_head(site, 14u), uvec2(v));
    return v;
}

bvec3 trace_v(highp int site, bvec3 v) {
    trace_put(trace_head(site, 15u), uvec3(v));
    return v;
}

bvec4 trace_v(highp int site, bvec4 v) {
    highp uvec4 words = uvec4(v);
    trace_put(trace_head(site, 16u), words.xyz);
    trace_put(TRACE_MORE << 26u, words.w);
    return v;
}

highp mat2 trace_v(highp int site, highp mat2 v) {
    trace_put(trace_head(site, 17u), floatBitsToUint(vec3(v[0].x, v[0].y, v[1].x)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(v[1].y));
    return v;
}

highp mat3 trace_v(highp int site, highp mat3 v) {
    trace_put(trace_head(site, 18u), floatBitsToUint(v[0]));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(v[1]));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(v[2]));
    return v;
}

highp mat4 trace_v(highp int site, highp mat4 v) {
    trace_put(trace_head(site, 19u), floatBitsToUint(vec3(v[0].x, v[0].y, v[0].z)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[0].w, v[1].x, v[1].y)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[1].z, v[1].w, v[2].x)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[2].y, v[2].z, v[2].w)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[3].x, v[3].y, v[3].z)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(v[3].w));
    return v;
}

highp mat2x3 trace_v(highp int site, highp mat2x3 v) {
    trace_put(trace_head(site, 20u), floatBitsToUint(v[0]));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(v[1]));
    return v;
}

highp mat2x4 trace_v(highp int site, highp mat2x4 v) {
    trace_put(trace_head(site, 21u), floatBitsToUint(vec3(v[0].x, v[0].y, v[0].z)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[0].w, v[1].x, v[1].y)));
    trace_put(TRACE_MORE << 26u, uvec2(floatBitsToUint(v[1].z), floatBitsToUint(v[1].w)));
    return v;
}

highp mat3x2 trace_v(highp int site, highp mat3x2 v) {
    trace_put(trace_head(site, 22u), floatBitsToUint(vec3(v[0].x, v[0].y, v[1].x)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[1].y, v[2].x, v[2].y)));
    return v;
}

highp mat3x4 trace_v(highp int site, highp mat3x4 v) {
    trace_put(trace_head(site, 23u), floatBitsToUint(vec3(v[0].x, v[0].y, v[0].z)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[0].w, v[1].x, v[1].y)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[1].z, v[1].w, v[2].x)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[2].y, v[2].z, v[2].w)));
    return v;
}

highp mat4x2 trace_v(highp int site, highp mat4x2 v) {
    trace_put(trace_head(site, 24u), floatBitsToUint(vec3(v[0].x, v[0].y, v[1].x)));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(vec3(v[1].y, v[2].x, v[2].y)));
    trace_put(TRACE_MORE << 26u, uvec2(floatBitsToUint(v[3].x), floatBitsToUint(v[3].y)));
    return v;
}

highp mat4x3 trace_v(highp int site, highp mat4x3 v) {
    trace_put(trace_head(site, 25u), floatBitsToUint(v[0]));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(v[1]));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(v[2]));
    trace_put(TRACE_MORE << 26u, floatBitsToUint(v[3]));
    return v;
}

// The first of two, both evaluated, in their order.
highp float trace_f(highp float v, highp int ignored) { return v; }
highp vec2 trace_f(highp vec2 v, highp int ignored) { return v; }
highp vec3 trace_f(highp vec3 v, highp int ignored) { return v; }
highp vec4 trace_f(highp vec4 v, highp int ignored) { return v; }
highp int trace_f(highp int v, highp int ignored) { return v; }
highp ivec2 trace_f(highp ivec2 v, highp int ignored) { return v; }
highp ivec3 trace_f(highp ivec3 v, highp int ignored) { return v; }
highp ivec4 trace_f(highp ivec4 v, highp int ignored) { return v; }
highp uint trace_f(highp uint v, highp int ignored) { return v; }
highp uvec2 trace_f(highp uvec2 v, highp int ignored) { return v; }
highp uvec3 trace_f(highp uvec3 v, highp int ignored) { return v; }
highp uvec4 trace_f(highp uvec4 v, highp int ignored) { return v; }
bool trace_f(bool v, highp int ignored) { return v; }
bvec2 trace_f(bvec2 v, highp int ignored) { return v; }
bvec3 trace_f(bvec3 v, highp int ignored) { return v; }
bvec4 trace_f(bvec4 v, highp int ignored) { return v; }
highp mat2 trace_f(highp mat2 v, highp int ignored) { return v; }
highp mat3 trace_f(highp mat3 v, highp int ignored) { return v; }
highp mat4 trace_f(highp mat4 v, highp int ignored) { return v; }
highp mat2x3 trace_f(highp mat2x3 v, highp int ignored) { return v; }
highp mat2x4 trace_f(highp mat2x4 v, highp int ignored) { return v; }
highp mat3x2 trace_f(highp mat3x2 v, highp int ignored) { return v; }
highp mat3x4 trace_f(highp mat3x4 v, highp int ignored) { return v; }
highp mat4x2 trace_f(highp mat4x2 v, highp int ignored) { return v; }
highp mat4x3 trace_f(highp mat4x3 v, highp int ignored) { return v; }
