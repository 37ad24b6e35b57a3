// Keeps the log in a storage buffer. Other fragments write to the last entry, which is never read: few branches, because
// a software driver compiles each store into many instructions.

layout(std430, binding = 0) buffer TraceLog {
    highp uint trace_total;
    highp uint trace_used;
    highp uint trace_discarded;
    highp uint trace_nothing;
    highp uvec4 trace_words[];
};
uniform highp ivec2 u_trace_texel;
uniform highp uint u_trace_room;

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
