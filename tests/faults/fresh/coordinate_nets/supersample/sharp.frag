#version 330 core
in vec2 v_uv;
uniform sampler2D s_color;
uniform vec2 u_texel;
uniform float u_amount;
layout(location = 0) out vec4 o_color;

vec3 tap(float dx, float dy) {
    return texture(s_color, v_uv + vec2(dx, dy) * u_texel).rgb;
}

void main() {
    vec3 c = tap(0.0, 0.0);
    vec3 cross = tap(-1.0, 0.0) + tap(1.0, 0.0) + tap(0.0, -1.0) + tap(0.0, 1.0);
    o_color.rgb = clamp(c + u_amount * (4.0 * c - cross), 0.0, 1.0);
    o_color.a = 1.0;
}
