// Records what one fragment does, one vector of words per entry: what (site, 16 bits; of a read also sampler and lanes,
// 6 and 4; kind, 6), then three words of values.

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

void tap_record(highp int id, highp int site, highp int lanes, highp vec2 position, highp vec4 value) {
    highp uint head = uint(site) | uint(lanes) << 16u | uint(id) << 20u | TRACE_READ << 26u;
    highp uvec4 words = floatBitsToUint(value);
    trace_put(head, uvec3(floatBitsToUint(position), words.x));
    trace_put(TRACE_MORE << 26u, words.yzw);
}
