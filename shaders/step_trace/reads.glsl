// Passes a read's result through `trace_lowp`, `trace_mediump` or `trace_highp`, by its sampler's precision, which
// determines later arithmetic. Its coordinates pass through `trace_place`, which records them in texels.

highp vec2 trace_position;

highp ivec2 trace_place(highp ivec2 at) {
    trace_position = vec2(at) + 0.5;
    return at;
}

highp ivec2 trace_place(highp ivec2 at, highp ivec2 by) {
    trace_position = vec2(at + by) + 0.5;
    return at;
}

highp vec2 trace_place(highp vec2 at, highp ivec2 size) {
    trace_position = at * vec2(size);
    return at;
}

highp vec2 trace_place(highp vec2 at, highp ivec2 size, highp ivec2 by) {
    trace_position = at * vec2(size) + vec2(by);
    return at;
}

lowp vec4 trace_lowp(highp int id, highp int site, highp int lanes, lowp vec4 value) {
    tap_record(id, site, lanes, trace_position, value);
    return value;
}

mediump vec4 trace_mediump(highp int id, highp int site, highp int lanes, mediump vec4 value) {
    tap_record(id, site, lanes, trace_position, value);
    return value;
}

highp vec4 trace_highp(highp int id, highp int site, highp int lanes, highp vec4 value) {
    tap_record(id, site, lanes, trace_position, value);
    return value;
}
