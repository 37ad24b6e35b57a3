// Wrappers that do what the built-in reads do, and write down what was read. One entry is two texels of words:
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
    highp uint who = uint(id) << 24u | uint(site) << 4u | uint(lanes);
    tap_words[entry * 2u] = uvec4(who, floatBitsToUint(position), floatBitsToUint(value.x));
    tap_words[entry * 2u + 1u] = uvec4(floatBitsToUint(value.yzw), 0u);
}

highp float tap_done(highp float value) {
    tap_lane = -1;
    return value;
}

highp vec4 tap_texelFetch(highp int id, highp int site, highp int lanes, highp sampler2D s, highp ivec2 at, highp int lod) {
    highp vec4 value = texelFetch(s, at, lod);
    tap_record(id, site, lanes, vec2(at) + 0.5, value);
    return value;
}

highp vec4 tap_texelFetchOffset(
    highp int id, highp int site, highp int lanes, highp sampler2D s, highp ivec2 at, highp int lod, highp ivec2 by
) {
    highp vec4 value = texelFetch(s, at + by, lod);
    tap_record(id, site, lanes, vec2(at + by) + 0.5, value);
    return value;
}

highp vec4 tap_texture(highp int id, highp int site, highp int lanes, highp sampler2D s, highp vec2 at) {
    highp vec4 value = textureLod(s, at, 0.0);
    tap_record(id, site, lanes, at * vec2(textureSize(s, 0)), value);
    return value;
}

highp vec4 tap_texture(highp int id, highp int site, highp int lanes, highp sampler2D s, highp vec2 at, highp float bias) {
    return tap_texture(id, site, lanes, s, at);
}

highp vec4 tap_textureLod(highp int id, highp int site, highp int lanes, highp sampler2D s, highp vec2 at, highp float lod) {
    return tap_texture(id, site, lanes, s, at);
}

highp vec4 tap_textureGrad(
    highp int id, highp int site, highp int lanes, highp sampler2D s, highp vec2 at, highp vec2 dx, highp vec2 dy
) {
    return tap_texture(id, site, lanes, s, at);
}

highp vec4 tap_textureOffset(
    highp int id, highp int site, highp int lanes, highp sampler2D s, highp vec2 at, highp ivec2 by
) {
    return tap_texture(id, site, lanes, s, at + vec2(by) / vec2(textureSize(s, 0)));
}

highp vec4 tap_textureLodOffset(
    highp int id, highp int site, highp int lanes, highp sampler2D s, highp vec2 at, highp float lod, highp ivec2 by
) {
    return tap_texture(id, site, lanes, s, at + vec2(by) / vec2(textureSize(s, 0)));
}
