// Records reads as colours, for contexts without storage buffers: each fragment of a small target runs the
// author's shader for the same output texel and keeps three of its reads, from the one with number `tap_first`. No array
// and no branch: a software driver compiles an index that is not constant into many instructions.

uniform highp int u_tap_lane;
highp int tap_lane = -1;
highp int tap_first = 0;
highp int tap_count = 0;
highp vec4 tap_who_0 = vec4(0.0), tap_who_1 = vec4(0.0), tap_who_2 = vec4(0.0);
highp vec4 tap_value_0 = vec4(0.0), tap_value_1 = vec4(0.0), tap_value_2 = vec4(0.0);

// Replaces `discard`, with a return.
bool tap_stop() {
    return tap_gone = true;
}

void tap_record(highp int id, highp int site, highp int lanes, highp vec2 position, highp vec4 value) {
    bool counts = !tap_gone && (tap_lane < 0 || u_tap_lane < 0 || tap_lane == u_tap_lane);
    highp int entry = counts ? tap_count - tap_first : -1;
    highp vec4 who = vec4(float(id * 16 + (lanes & 15)), float(site), position);
    tap_who_0 = entry == 0 ? who : tap_who_0;
    tap_who_1 = entry == 1 ? who : tap_who_1;
    tap_who_2 = entry == 2 ? who : tap_who_2;
    tap_value_0 = entry == 0 ? value : tap_value_0;
    tap_value_1 = entry == 1 ? value : tap_value_1;
    tap_value_2 = entry == 2 ? value : tap_value_2;
    tap_count += int(counts);
}
