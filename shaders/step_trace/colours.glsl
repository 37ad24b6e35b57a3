// Keeps the log in colours, for contexts without storage buffers: each fragment runs the whole shader and keeps three
// entries, from number `trace_from` on. The first colour has the counts. Every driver has four colours, and more kept
// entries cost more at each place that logs than they save in fragments. No array and no branch: a software driver
// compiles an index that is not constant into many instructions.

layout(location = 0) out highp uvec4 trace_counts;
layout(location = 1) out highp uvec4 trace_colour_0;
layout(location = 2) out highp uvec4 trace_colour_1;
layout(location = 3) out highp uvec4 trace_colour_2;

highp uvec4 trace_kept_0 = uvec4(0u);
highp uvec4 trace_kept_1 = uvec4(0u);
highp uvec4 trace_kept_2 = uvec4(0u);
highp uint trace_from = 0u;

void trace_put(highp uint head, highp uvec3 words) {
    highp uint entry = trace_on ? trace_at - trace_from : 3u;
    trace_kept_0 = entry == 0u ? uvec4(head, words) : trace_kept_0;
    trace_kept_1 = entry == 1u ? uvec4(head, words) : trace_kept_1;
    trace_kept_2 = entry == 2u ? uvec4(head, words) : trace_kept_2;
    trace_at += uint(trace_on);
}

// Words that say nothing stay zero.
void trace_put(highp uint head) {
    highp uint entry = trace_on ? trace_at - trace_from : 3u;
    trace_kept_0.x = entry == 0u ? head : trace_kept_0.x;
    trace_kept_1.x = entry == 1u ? head : trace_kept_1.x;
    trace_kept_2.x = entry == 2u ? head : trace_kept_2.x;
    trace_at += uint(trace_on);
}

void trace_put(highp uint head, highp uint word) {
    highp uint entry = trace_on ? trace_at - trace_from : 3u;
    trace_kept_0.xy = entry == 0u ? uvec2(head, word) : trace_kept_0.xy;
    trace_kept_1.xy = entry == 1u ? uvec2(head, word) : trace_kept_1.xy;
    trace_kept_2.xy = entry == 2u ? uvec2(head, word) : trace_kept_2.xy;
    trace_at += uint(trace_on);
}

void trace_put(highp uint head, highp uvec2 words) {
    highp uint entry = trace_on ? trace_at - trace_from : 3u;
    trace_kept_0.xyz = entry == 0u ? uvec3(head, words) : trace_kept_0.xyz;
    trace_kept_1.xyz = entry == 1u ? uvec3(head, words) : trace_kept_1.xyz;
    trace_kept_2.xyz = entry == 2u ? uvec3(head, words) : trace_kept_2.xyz;
    trace_at += uint(trace_on);
}

void trace_begin() {
    trace_from = 3u * uint(tap_begin());
    trace_here = true;
    trace_on = u_trace_first == 0u;
}

// What comes behind the end is not recorded.
void trace_end(bool discarded) {
    if (!trace_here) return;
    trace_counts = uvec4(trace_begun, trace_at, uint(discarded), 0u);
    trace_here = false;
    trace_on = false;
}

// Replaces `discard`, with a return, behind `trace_end`.
bool tap_stop() {
    return tap_gone = true;
}
