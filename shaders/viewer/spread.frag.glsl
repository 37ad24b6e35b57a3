#version 330 core
// Least and greatest finite number of a block of texels, and how many numbers are NaN and infinite: of a texture, or of
// its difference from the oracle's. Each pixel has its own block. Finite numbers outside the limits are counted too.

uniform sampler2D t_actual;
uniform sampler2D t_oracle;
uniform sampler2D t_padding;   // per lane 1 where the layout stores nothing
uniform bool u_difference;
uniform bool u_padded;
uniform int u_lane_count;
uniform ivec2 u_block;         // texels of a pixel, across and down
uniform vec2 u_limits;

layout(location = 0) out vec4 spread;
layout(location = 1) out vec2 outside;  // how many are below, and above

bool is_nan(float v) { return (floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u; }
bool is_infinite(float v) { return (floatBitsToUint(v) & 0x7fffffffu) == 0x7f800000u; }

float difference(float a, float b) { return a == b || (is_nan(a) && is_nan(b)) ? 0.0 : a - b; }

void main() {
    ivec2 size = textureSize(t_actual, 0);
    ivec2 first = ivec2(gl_FragCoord.xy) * u_block;
    ivec2 end = min(first + u_block, size);
    float infinity = uintBitsToFloat(0x7f800000u);
    spread = vec4(infinity, -infinity, 0.0, 0.0);
    outside = vec2(0.0);
    for (int y = first.y; y < end.y; y++)
        for (int x = first.x; x < end.x; x++) {
            vec2 at = (vec2(x, y) + 0.5) / vec2(size);
            vec4 value = textureLod(t_actual, at, 0.0);
            vec4 oracle = u_difference ? textureLod(t_oracle, at, 0.0) : vec4(0.0);
            vec4 padding = u_padded ? textureLod(t_padding, at, 0.0) : vec4(0.0);
            for (int lane = 0; lane < u_lane_count; lane++) {
                if (padding[lane] > 0.75) continue;
                float v = u_difference ? difference(value[lane], oracle[lane]) : value[lane];
                if (is_nan(v)) spread.z += 1.0;
                else if (is_infinite(v)) spread.w += 1.0;
                else {
                    spread.x = min(spread.x, v);
                    spread.y = max(spread.y, v);
                    if (v < u_limits.x) outside.x += 1.0;
                    if (v > u_limits.y) outside.y += 1.0;
                }
            }
        }
}
