#version 460 core
#extension GL_EXT_samplerless_texture_functions : require

layout(set = 1, binding = 0) uniform texture2D tColor;
layout(set = 1, binding = 1) uniform texture2D tMask;
layout(set = 0, binding = 0) uniform sampler sPoint;

layout(location = 0) in vec2 vUV;
layout(location = 0) out vec4 oColor;

vec4 mirrored(texture2D t, sampler s, vec2 uv) {
    return texture(sampler2D(t, s), vec2(1.0 - uv.x, uv.y));
}

void main() {
    vec4 color = texture(sampler2D(tColor, sPoint), vUV);
    vec4 mask = texelFetch(tMask, ivec2(gl_FragCoord.xy), 0);
    oColor = mix(color, mirrored(tColor, sPoint, vUV), mask);
}
