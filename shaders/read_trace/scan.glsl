// Records reads as colours, for contexts without storage buffers: each fragment of a small target runs the
// author's shader for the same output texel and keeps three of its reads, from the one with number `tap_first`.

uniform highp int u_tap_lane;
highp int tap_lane = -1;
highp int tap_first;
highp int tap_count = 0;
highp vec4 tap_who[3];
highp vec4 tap_value[3];

// Replaces `discard`, with a return.
bool tap_stop() {
    return tap_gone = true;
}

void tap_record(highp int id, highp int site, highp int lanes, highp vec2 position, highp vec4 value) {
    if (tap_gone || (tap_lane >= 0 && u_tap_lane >= 0 && tap_lane != u_tap_lane)) return;
    highp int entry = tap_count - tap_first;
    tap_count++;
    if (entry < 0 || entry > 2) return;
    tap_who[entry] = vec4(float(id * 16 + (lanes & 15)), float(site), position);
    tap_value[entry] = value;
}
