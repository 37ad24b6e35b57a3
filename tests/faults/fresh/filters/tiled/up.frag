#version 330
// Three times the size: nine details a pixel, on top of luma between its pixels.

uniform sampler2D s_detail;
uniform sampler2D s_luma;
uniform int u_width;
uniform int u_height;

layout(location = 0) out float o_luma;

float detailAt(ivec2 pixel, int channel) {
    int group = channel / 4;
    ivec2 corner = ivec2((group % 2) * u_width, (group / 2) * u_height);
    return texelFetch(s_detail, corner + pixel, 0)[channel % 4];
}

float lumaAt(ivec2 pixel) {
    return texelFetch(s_luma, clamp(pixel, ivec2(0), ivec2(u_width - 1, u_height - 1)), 0).r;
}

float lumaBetween(vec2 place) {
    vec2 corner = floor(place);
    vec2 share = place - corner;
    ivec2 pixel = ivec2(corner);
    float above = mix(lumaAt(pixel), lumaAt(pixel + ivec2(1, 0)), share.x);
    float below = mix(lumaAt(pixel + ivec2(0, 1)), lumaAt(pixel + ivec2(1, 1)), share.x);
    return mix(above, below, share.y);
}

void main() {
    ivec2 target = ivec2(gl_FragCoord.xy);
    ivec2 pixel = target / 3;
    ivec2 phase = target - 3 * pixel;
    float detail = detailAt(pixel, phase.y * 3 + phase.x);
    vec2 place = (vec2(target) + 0.5) / 3.0 - 0.5;
    o_luma = detail + lumaBetween(place);
}
