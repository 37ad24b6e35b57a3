// Records what one fragment does in a storage buffer, one vector of words per entry: what (site, 16 bits; of a read
// also sampler and lanes, 6 and 4; kind, 6), then three words of values. Other fragments write to the last
// entry, which is never read: few branches, because a software driver compiles each store into many instructions.

layout(std430, binding = 0) buffer TraceLog {
    highp uint trace_total;
    highp uint trace_used;
    highp uint trace_discarded;
    highp uint trace_nothing;
    highp uvec4 trace_words[];
};
uniform highp ivec2 u_trace_texel;
uniform highp int u_trace_lane;
uniform highp uint u_trace_first;
uniform highp uint u_trace_stop;
uniform highp uint u_trace_room;

const highp uint TRACE_READ = 62u, TRACE_MORE = 63u;

bool trace_here = false;
bool trace_mine = true;
bool trace_was = true;
bool trace_on = false;
highp uint trace_begun = 0u;
highp uint trace_at = 0u;

// Records what happens after a step of the window begins, in the requested lane.
void trace_window() {
    trace_on = trace_here && trace_mine && trace_begun >= u_trace_first && trace_begun < u_trace_stop;
}

void trace_put(highp uint head, highp uvec3 words) {
    trace_words[min(trace_at, u_trace_room)] = uvec4(head, words);
    trace_at += uint(trace_on);
}

// Each word costs: those that say nothing are left as they are.
void trace_put(highp uint head) {
    trace_words[min(trace_at, u_trace_room)].x = head;
    trace_at += uint(trace_on);
}

void trace_put(highp uint head, highp uint word) {
    trace_words[min(trace_at, u_trace_room)].xy = uvec2(head, word);
    trace_at += uint(trace_on);
}

void trace_put(highp uint head, highp uvec2 words) {
    trace_words[min(trace_at, u_trace_room)].xyz = uvec3(head, words);
    trace_at += uint(trace_on);
}

// A step begins, without a separate entry: the next one identifies it.
highp int trace_s(highp int site) {
    trace_begun += uint(trace_mine);
    trace_window();
    return site;
}

// Something without a value.
highp int trace_e(highp int site) {
    trace_put(uint(site));
    return site;
}

highp int trace_l(highp int site) {
    return trace_e(trace_s(site));
}

// Between the two nothing is written down: a watch calls functions of the text.
highp int trace_quiet(highp int site) {
    trace_was = trace_mine;
    trace_mine = false;
    trace_window();
    return site;
}

highp int trace_loud() {
    trace_mine = trace_was;
    trace_window();
    return 0;
}

// From here to `trace_all` one lane of an output is computed.
bool trace_lane(highp int lane) {
    trace_mine = u_trace_lane < 0 || lane == u_trace_lane;
    trace_window();
    return trace_mine;
}

highp float trace_all(highp float value) {
    trace_mine = true;
    trace_window();
    return value;
}

void trace_begin() {
    trace_here = ivec2(gl_FragCoord.xy) == u_trace_texel;
    trace_at = trace_here ? 0u : u_trace_room;
    trace_on = trace_here && u_trace_first == 0u;
}

void trace_end(bool discarded) {
    if (!trace_here) return;
    trace_total = trace_begun;
    trace_used = trace_at;
    trace_discarded = uint(discarded);
}

void tap_record(highp int id, highp int site, highp int lanes, highp vec2 position, highp vec4 value) {
    highp uint head = uint(site) | uint(lanes) << 16u | uint(id) << 20u | TRACE_READ << 26u;
    highp uvec4 words = floatBitsToUint(value);
    trace_put(head, uvec3(floatBitsToUint(position), words.x));
    trace_put(TRACE_MORE << 26u, words.yzw);
}
