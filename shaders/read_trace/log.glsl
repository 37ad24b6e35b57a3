// Records reads in a storage buffer. One entry is two vectors of words:
// who (sampler, site, lane mask: 8, 20 and 4 bits), position in texels (x, y: bits of floats), value (bits of four
// floats), nothing. Few and wide stores, because a software driver compiles each of them into many instructions.

layout(std430, binding = 0) buffer TapLog {
    highp uint tap_count;
    highp uvec4 tap_words[];
};
uniform highp ivec2 u_tap_texel;
uniform highp int u_tap_lane;
highp int tap_lane = -1;

void tap_record(highp int id, highp int site, highp int lanes, highp vec2 position, highp vec4 value) {
    if (ivec2(gl_FragCoord.xy) != u_tap_texel) return;
    if (tap_lane >= 0 && u_tap_lane >= 0 && tap_lane != u_tap_lane) return;
    highp uint entry = atomicAdd(tap_count, 1u);
    if (int(entry * 2u + 2u) > tap_words.length()) return;
    highp uint who = uint(id) << 24u | uint(site) << 4u | uint(lanes & 15);
    tap_words[entry * 2u] = uvec4(who, floatBitsToUint(position), floatBitsToUint(value.x));
    tap_words[entry * 2u + 1u] = uvec4(floatBitsToUint(value.yzw), 0u);
}
