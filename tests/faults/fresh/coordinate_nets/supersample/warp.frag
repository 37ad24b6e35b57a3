#version 330 core
in vec2 v_uv;
uniform sampler2D s_history;
uniform sampler2D s_motion;     // how far a pixel came since the last frame, in parts of the screen
layout(location = 0) out vec4 o_warp;

void main() {
    vec2 size = vec2(textureSize(s_history, 0));
    vec2 motion = texture(s_motion, v_uv).xy;
    vec2 uv = (floor(gl_FragCoord.xy) + 0.5) / size - motion;

    vec2 st = uv * size - 0.5;
    vec2 base = floor(st);
    vec2 f = st - base;
    ivec2 last = ivec2(size) - 1;
    ivec2 a = clamp(ivec2(base), ivec2(0), last);
    ivec2 b = clamp(ivec2(base) + 1, ivec2(0), last);

    vec3 nw = texelFetch(s_history, a, 0).rgb;
    vec3 ne = texelFetch(s_history, ivec2(b.x, a.y), 0).rgb;
    vec3 sw = texelFetch(s_history, ivec2(a.x, b.y), 0).rgb;
    vec3 se = texelFetch(s_history, b, 0).rgb;
    o_warp.rgb = mix(mix(nw, ne, f.x), mix(sw, se, f.x), f.y);
    o_warp.a = 1.0;
}
