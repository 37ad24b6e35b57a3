#version 330 core
uniform sampler2D s_old;
uniform sampler2D s_new;
layout(location = 0) out vec4 o_color;

void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    vec3 history = texelFetch(s_old, px, 0).rgb;
    vec4 fresh = texelFetch(s_new, px, 0);
    float trust = 1.0 / (1.0 + exp(-fresh.a));
    o_color = vec4(history + (fresh.rgb - history) * trust, 1.0);
}
