// Reads at coordinates moved by a part of a texel: results that change were read on the border of two texels.

uniform highp vec2 u_moved;

highp vec2 moved(highp sampler2D s, highp vec2 at) {
    return at + u_moved / vec2(textureSize(s, 0));
}

highp vec4 moved_texture(highp sampler2D s, highp vec2 at) {
    return textureLod(s, moved(s, at), 0.0);
}

highp vec4 moved_texture(highp sampler2D s, highp vec2 at, highp float bias) {
    return textureLod(s, moved(s, at), 0.0);
}

highp vec4 moved_textureLod(highp sampler2D s, highp vec2 at, highp float lod) {
    return textureLod(s, moved(s, at), 0.0);
}

highp vec4 moved_textureOffset(highp sampler2D s, highp vec2 at, highp ivec2 by) {
    return textureLod(s, moved(s, at) + vec2(by) / vec2(textureSize(s, 0)), 0.0);
}

highp vec4 moved_textureLodOffset(highp sampler2D s, highp vec2 at, highp float lod, highp ivec2 by) {
    return textureLod(s, moved(s, at) + vec2(by) / vec2(textureSize(s, 0)), 0.0);
}
