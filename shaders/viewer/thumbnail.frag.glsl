#version 330 core
// A stored tensor as a small picture in a cell of a sheet, in the colours of canvas.frag.glsl. What a cell shows comes
// with its vertices, so that from cell to cell only the textures change.

uniform sampler2D t_actual;
uniform sampler2D t_padding;   // 1 where the layout stores nothing in any lane
uniform sampler2D t_map;       // 256 x 1, RGB
uniform vec4 u_background;

flat in vec4 v_place;          // the cell's first pixel in the sheet; the texel position there, in texels
flat in vec4 v_values;         // the range's first and last value times the unit; the unit; pixels a texel
flat in float v_lanes;         // of a texel; 0 for one that is a grey

out vec4 colour;

void main() {
    vec2 pixel = gl_FragCoord.xy - v_place.xy;
    vec2 position = floor(v_place.zw + pixel / v_values.w) + 0.5;
    vec2 size = vec2(textureSize(t_actual, 0));
    colour = u_background;
    if (any(lessThan(position, vec2(0.0))) || any(greaterThan(position, size))) return;

    position /= size;
    vec4 value = textureLod(t_actual, position, 0.0);
    uvec4 bits = floatBitsToUint(value) & 0x7fffffffu;
    vec4 shown = clamp((value * v_values.z - v_values.x) / (v_values.y - v_values.x), 0.0, 1.0);
    if (v_lanes < 0.5) shown.rgb = shown.rrr;
    else if (v_lanes < 1.5) shown = textureLod(t_map, vec2((floor(shown.x * 255.0 + 0.5) + 0.5) / 256.0, 0.5), 0.0);
    if (any(equal(bits, uvec4(0x7f800000u)))) shown.rgb = vec3(0.1, 0.9, 0.2);
    if (any(greaterThan(bits, uvec4(0x7f800000u)))) shown.rgb = vec3(1.0, 0.1, 0.1);
    if (textureLod(t_padding, position, 0.0).r > 0.5)
        shown.rgb = mod(pixel.x + pixel.y, 12.0) < 2.0 ? vec3(0.30, 0.32, 0.36) : vec3(0.16, 0.17, 0.20);
    colour = vec4(shown.rgb, 1.0);
}
