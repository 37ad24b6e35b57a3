// Wraps the built-in reads and passes each one to `tap_record`: the sampler's number, the place in the
// text, the lanes used as bits, the position in texels, the value.

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

// What GLSL had before 1.30, and GLSL ES before 3.00.
#define tap_texture2D tap_texture
#define tap_texture2DLod tap_textureLod
