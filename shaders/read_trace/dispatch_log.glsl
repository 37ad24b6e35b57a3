// Records what invocations read and write in a storage buffer. An entry is two vectors of words: who (number of
// what is read, site, lane mask: 8, 20 and 4 bits), then of a texture the position in texels (x, y: bits of floats) and
// the value (bits of four floats), of all else the place in it (0xffffffff: outside), what was done there, and what of
// the invocation that did so before; last the invocation.

layout(std430) buffer TapLog {
    uint tap_count;
    uvec4 tap_words[];
};
layout(std430) buffer TapOwners {
    uint tap_owners[];
};
// 0: two that write one place; 1: who writes one place; 2: all that is done by one invocation, or by its work group.
uniform int u_tap_mode;
uniform int u_tap_what;
uniform uint u_tap_first;
uniform uint u_tap_last;
uniform uvec3 u_tap_invocation;
uniform uvec3 u_tap_size;
uniform bool u_tap_group;

int tap_lane = -1;

const int TAP_READ = 1, TAP_WRITE = 2, TAP_ATOMIC = 4, TAP_BARRIER = 8;
const uint TAP_OUTSIDE = 0xffffffffu;

uint tap_invocation() {
    uvec3 all = gl_NumWorkGroups * u_tap_size;
    return (gl_GlobalInvocationID.z * all.y + gl_GlobalInvocationID.y) * all.x + gl_GlobalInvocationID.x;
}

bool tap_is_recorded() {
    if (u_tap_group) return all(equal(gl_WorkGroupID, u_tap_invocation / u_tap_size));
    return all(equal(gl_GlobalInvocationID, u_tap_invocation));
}

void tap_enter(int what, int site, int lanes, uvec3 words, uvec3 more) {
    uint entry = atomicAdd(tap_count, 1u);
    if (int(entry * 2u + 2u) > tap_words.length()) return;
    tap_words[entry * 2u] = uvec4(uint(what) << 24u | uint(site) << 4u | uint(lanes & 15), words);
    tap_words[entry * 2u + 1u] = uvec4(more, tap_invocation());
}

void tap_record(int what, int site, int lanes, vec2 position, vec4 value) {
    if (u_tap_mode != 2 || !tap_is_recorded()) return;
    tap_enter(what, site, lanes, uvec3(floatBitsToUint(position), floatBitsToUint(value.x)), floatBitsToUint(value.yzw));
}

void tap_place(int what, int site, int lanes, int done, uint at) {
    if (u_tap_mode == 2) {
        if (tap_is_recorded()) tap_enter(what, site, lanes, uvec3(at, uint(done), 0u), uvec3(0u));
        return;
    }
    if (what != u_tap_what || (done & TAP_WRITE) == 0 || (done & TAP_ATOMIC) != 0 || at == TAP_OUTSIDE) return;
    if (u_tap_mode == 1) {
        if (at >= u_tap_first && at <= u_tap_last) tap_enter(what, site, lanes, uvec3(at, uint(done), 0u), uvec3(0u));
        return;
    }
    if (at >= uint(tap_owners.length())) return;
    uint before = atomicExchange(tap_owners[at], tap_invocation() + 1u);
    if (before != 0u && before != tap_invocation() + 1u) {
        tap_enter(what, site, lanes, uvec3(at, uint(done), 0u), uvec3(before - 1u, 0u, 0u));
    }
}

int tap_at(int what, int site, int lanes, int done, int at) {
    tap_place(what, site, lanes, done, at < 0 ? TAP_OUTSIDE : uint(at));
    return at;
}

uint tap_at(int what, int site, int lanes, int done, uint at) {
    tap_place(what, site, lanes, done, at);
    return at;
}

int tap_behind(int what, int site, int lanes, int done, int before, int at) {
    tap_place(what, site, lanes, done, uint(before + at));
    return at;
}

uint tap_behind(int what, int site, int lanes, int done, int before, uint at) {
    tap_place(what, site, lanes, done, uint(before) + at);
    return at;
}

int tap_texel(int what, int site, int done, int size, int at) {
    tap_place(what, site, 15, done, at < 0 || at >= size ? TAP_OUTSIDE : uint(at));
    return at;
}

ivec2 tap_texel(int what, int site, int done, ivec2 size, ivec2 at) {
    bool outside = any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size));
    tap_place(what, site, 15, done, outside ? TAP_OUTSIDE : uint(at.y * size.x + at.x));
    return at;
}

ivec3 tap_texel(int what, int site, int done, ivec3 size, ivec3 at) {
    bool outside = any(lessThan(at, ivec3(0))) || any(greaterThanEqual(at, size));
    tap_place(what, site, 15, done, outside ? TAP_OUTSIDE : uint((at.z * size.y + at.y) * size.x + at.x));
    return at;
}

void tap_barrier(int site) {
    if (u_tap_mode == 2 && tap_is_recorded()) tap_enter(255, site, 0, uvec3(0u, uint(TAP_BARRIER), 0u), uvec3(0u));
}
