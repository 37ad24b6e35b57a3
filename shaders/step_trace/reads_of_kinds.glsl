// As `reads.glsl`, for samplers of other kinds than sampler2D: of slices, of buffers, of whole numbers.

highp ivec3 trace_place(highp ivec3 at, highp ivec3 size) {
    trace_position = tap_stacked(vec2(at.xy) + 0.5, float(at.z), size);
    return at;
}

highp ivec3 trace_place(highp ivec3 at, highp ivec3 size, highp ivec3 by) {
    trace_place(at + by, size);
    return at;
}

highp ivec3 trace_place(highp ivec3 at, highp ivec3 size, highp ivec2 by) {
    trace_place(at + ivec3(by, 0), size);
    return at;
}

highp vec3 trace_place_2DArray(highp vec3 at, highp ivec3 size) {
    trace_position = tap_stacked(at.xy * vec2(size.xy), at.z + 0.5, size);
    return at;
}

highp vec3 trace_place_3D(highp vec3 at, highp ivec3 size) {
    trace_position = tap_stacked(at.xy * vec2(size.xy), at.z * float(size.z), size);
    return at;
}

highp int trace_place(highp int at) {
    trace_position = tap_in_rows(at);
    return at;
}

lowp ivec4 trace_lowp(highp int id, highp int site, highp int lanes, lowp ivec4 value) {
    tap_record(id, site, lanes, trace_position, vec4(value));
    return value;
}

mediump ivec4 trace_mediump(highp int id, highp int site, highp int lanes, mediump ivec4 value) {
    tap_record(id, site, lanes, trace_position, vec4(value));
    return value;
}

highp ivec4 trace_highp(highp int id, highp int site, highp int lanes, highp ivec4 value) {
    tap_record(id, site, lanes, trace_position, vec4(value));
    return value;
}

lowp uvec4 trace_lowp(highp int id, highp int site, highp int lanes, lowp uvec4 value) {
    tap_record(id, site, lanes, trace_position, vec4(value));
    return value;
}

mediump uvec4 trace_mediump(highp int id, highp int site, highp int lanes, mediump uvec4 value) {
    tap_record(id, site, lanes, trace_position, vec4(value));
    return value;
}

highp uvec4 trace_highp(highp int id, highp int site, highp int lanes, highp uvec4 value) {
    tap_record(id, site, lanes, trace_position, vec4(value));
    return value;
}
