// Keeps the log in colours, for contexts without storage buffers: each fragment runs the whole shader and keeps
// TRACE_KEPT entries, from number `trace_from` on. The first colour has the counts.

layout(location = 0) out highp uvec4 trace_counts;
layout(location = 1) out highp uvec4 trace_colour_0;
layout(location = 2) out highp uvec4 trace_colour_1;
layout(location = 3) out highp uvec4 trace_colour_2;
#if TRACE_KEPT > 3
layout(location = 4) out highp uvec4 trace_colour_3;
layout(location = 5) out highp uvec4 trace_colour_4;
layout(location = 6) out highp uvec4 trace_colour_5;
layout(location = 7) out highp uvec4 trace_colour_6;
#endif
highp uvec4 trace_kept[TRACE_KEPT];
highp uint trace_from;

void trace_put(highp uint head, highp uvec3 words) {
    highp uint entry = trace_at - trace_from;
    if (trace_on && entry < uint(TRACE_KEPT)) trace_kept[entry] = uvec4(head, words);
    trace_at += uint(trace_on);
}

void trace_put(highp uint head) {
    trace_put(head, uvec3(0u));
}

void trace_put(highp uint head, highp uint word) {
    trace_put(head, uvec3(word, 0u, 0u));
}

void trace_put(highp uint head, highp uvec2 words) {
    trace_put(head, uvec3(words, 0u));
}

void trace_begin() {
    trace_from = uint(TRACE_KEPT) * uint(tap_begin());
    for (int i = 0; i < TRACE_KEPT; i++) trace_kept[i] = uvec4(0u);
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
