// Wraps the reads of a sampler of two dimensions as `reads.glsl` does. `TAP_SAMPLER` is its type, `TAP_VEC4` that of its
// texels.

highp TAP_VEC4 tap_texelFetch(
    highp int id, highp int site, highp int lanes, highp TAP_SAMPLER s, highp ivec2 at, highp int lod
) {
    highp TAP_VEC4 value = texelFetch(s, at, lod);
    tap_record(id, site, lanes, vec2(at) + 0.5, vec4(value));
    return value;
}

highp TAP_VEC4 tap_texelFetchOffset(
    highp int id, highp int site, highp int lanes, highp TAP_SAMPLER s, highp ivec2 at, highp int lod, highp ivec2 by
) {
    return tap_texelFetch(id, site, lanes, s, at + by, lod);
}

highp TAP_VEC4 tap_texture(highp int id, highp int site, highp int lanes, highp TAP_SAMPLER s, highp vec2 at) {
    highp TAP_VEC4 value = textureLod(s, at, 0.0);
    tap_record(id, site, lanes, at * vec2(textureSize(s, 0)), vec4(value));
    return value;
}

highp TAP_VEC4 tap_textureLod(
    highp int id, highp int site, highp int lanes, highp TAP_SAMPLER s, highp vec2 at, highp float lod
) {
    return tap_texture(id, site, lanes, s, at);
}
