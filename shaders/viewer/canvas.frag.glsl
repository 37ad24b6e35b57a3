#version 330 core
// A stored tensor as a picture: actual, oracle, difference, difference over its bound, or both beside a seam.
// Pixel (0, 0) is the top left of the picture; u_origin is the texel position there, in texels.

uniform sampler2D t_actual;
uniform sampler2D t_oracle;
uniform sampler2D t_bound;
uniform sampler2D t_padding;   // per lane: 1 where the layout stores nothing, 1/2 where no fragment wrote
uniform sampler2D t_map;       // 256 x 1, RGB
uniform int u_mode;            // 0 actual, 1 oracle, 2 difference, 3 difference / bound, 4 split
uniform vec2 u_origin;
uniform float u_pixels_per_texel;
uniform float u_seam;          // split: x in pixels
uniform float u_unit;          // a power of two that brings the range near 1, so that its width is a float32
uniform vec2 u_range;          // shown as first and last colour, times u_unit
uniform vec2 u_ratio_range;
uniform ivec4 u_lanes;         // lanes shown
uniform int u_lane_count;
uniform bool u_mark_negative;
uniform bool u_mark_outside;
uniform vec2 u_nominal;        // a picture's values outside these are marked
uniform bool u_picture;        // lanes are red, green, blue and opacity; one alone is grey
uniform bool u_encoded;        // values are amounts of light
uniform bool u_opaque;         // whatever the fourth lane says
uniform vec4 u_background;

out vec4 colour;

bool is_nan(float v) { return (floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u; }
bool is_infinite(float v) { return (floatBitsToUint(v) & 0x7fffffffu) == 0x7f800000u; }

vec4 value_at(ivec2 texel, int mode) {
    if (mode == 1) return texelFetch(t_oracle, texel, 0);
    vec4 actual = texelFetch(t_actual, texel, 0);
    if (mode == 0) return actual;
    vec4 oracle = texelFetch(t_oracle, texel, 0);
    vec4 difference = actual - oracle;
    for (int lane = 0; lane < 4; lane++)  // equal infinities, and NaN where NaN is expected, are no difference
        if (actual[lane] == oracle[lane] || (is_nan(actual[lane]) && is_nan(oracle[lane]))) difference[lane] = 0.0;
    if (mode == 2) return difference;
    return difference / max(texelFetch(t_bound, texel, 0), vec4(1e-30));
}

vec3 mapped(float v, vec2 range) {
    float t = clamp((v - range.x) / (range.y - range.x), 0.0, 1.0);
    return texelFetch(t_map, ivec2(int(t * 255.0 + 0.5), 0), 0).rgb;
}

// Amounts of light as a screen takes them (IEC 61966-2-1).
vec3 encoded(vec3 light) {
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}

// A picture over a board of two greys, which its opacity lets through.
vec3 pictured(vec4 v, vec2 range, int shown, int last, vec2 pixel) {
    vec4 share = clamp((v - range.x) / (range.y - range.x), 0.0, 1.0);
    if (shown == 1) return u_encoded && last < 3 ? encoded(vec3(share[last])) : vec3(share[last]);
    for (int lane = 0; lane < 3; lane++)
        if (u_lanes[lane] == 0) share[lane] = 0.0;
    vec3 rgb = u_encoded ? encoded(share.rgb) : share.rgb;
    if (u_opaque || u_lanes[3] == 0) return rgb;
    ivec2 square = ivec2(floor(pixel / 8.0));
    return mix(vec3((square.x + square.y) % 2 == 0 ? 0.40 : 0.60), rgb, share.a);
}

vec3 shaded(vec4 v, float unit, vec2 range, vec2 pixel) {
    int shown = 0;
    int last = 0;
    for (int lane = 0; lane < u_lane_count; lane++)
        if (u_lanes[lane] != 0) { shown++; last = lane; }
    for (int lane = 0; lane < u_lane_count; lane++) {
        if (u_lanes[lane] == 0 || !(is_nan(v[lane]) || is_infinite(v[lane]))) continue;
        vec3 mark = is_nan(v[lane]) ? vec3(1.0, 0.1, 0.1) : vec3(0.1, 0.9, 0.2);
        // Of several lanes the others are seen beside it, above the diagonal, where there is room.
        vec2 inside = fract(u_origin + pixel / u_pixels_per_texel);
        if (shown == 1 || u_pixels_per_texel < 12.0 || inside.x + inside.y > 1.0) return mark;
        v[lane] = 0.0;
    }
    v *= unit;
    if (u_picture) return pictured(v, range, shown, last, pixel);
    if (shown == 1) {
        if (u_mark_negative)
            return v[last] < 0.0 ? vec3(0.15, 0.35, 0.95) : vec3(clamp((v[last] - range.x) / (range.y - range.x), 0.0, 1.0));
        return mapped(v[last], range);
    }
    vec3 rgb = clamp((v.rgb - range.x) / (range.y - range.x), 0.0, 1.0);
    for (int lane = 0; lane < 3; lane++)
        if (u_lanes[lane] == 0) rgb[lane] = 0.0;
    return rgb;
}

// Whether a finite value that is shown lies outside: 1 above, -1 below, 0 neither.
int outside(vec4 v) {
    int side = 0;
    for (int lane = 0; lane < u_lane_count; lane++) {
        if (u_lanes[lane] == 0 || is_nan(v[lane]) || is_infinite(v[lane])) continue;
        if (v[lane] > u_nominal.y) return 1;
        if (v[lane] < u_nominal.x) side = -1;
    }
    return side;
}

// Values outside are hatched, and the upper left edge of their area is drawn: a single texel is seen too.
vec3 with_outside(vec3 rgb, vec4 value, int mode, ivec2 texel, vec2 pixel) {
    int side = outside(value);
    if (side == 0) return rgb;
    bool marked = mod(side > 0 ? pixel.x + pixel.y : pixel.x - pixel.y, 6.0) < 1.0;
    for (int axis = 0; axis < 2 && !marked; axis++) {
        vec2 beside = pixel - vec2(axis == 0, axis == 1);
        ivec2 other = ivec2(floor(u_origin + beside / u_pixels_per_texel));
        marked = other != texel && (any(lessThan(other, ivec2(0))) || outside(value_at(other, mode)) != side);
    }
    return marked ? (side > 0 ? vec3(1.0, 0.45, 0.0) : vec3(0.2, 0.75, 1.0)) : rgb;
}

void main() {
    vec2 pixel = gl_FragCoord.xy;
    vec2 position = u_origin + pixel / u_pixels_per_texel;
    ivec2 texel = ivec2(floor(position));
    ivec2 size = textureSize(t_actual, 0);
    if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, size))) {
        colour = u_background;
        return;
    }

    int mode = u_mode;
    if (mode == 4) mode = pixel.x < u_seam ? 0 : 1;
    vec4 value = value_at(texel, mode);
    vec3 rgb = mode == 3 ? shaded(value, 1.0, u_ratio_range, pixel) : shaded(value, u_unit, u_range, pixel);
    if (u_mark_outside) rgb = with_outside(rgb, value, mode, texel, pixel);

    vec4 padding = texelFetch(t_padding, texel, 0);
    bool empty = true;
    bool unwritten = false;
    for (int lane = 0; lane < u_lane_count; lane++) {
        if (u_lanes[lane] == 0) continue;
        if (padding[lane] < 0.75) empty = false;
        if (padding[lane] > 0.25 && padding[lane] < 0.75) unwritten = true;
    }
    if (unwritten && mode != 1) {
        float along = mod(pixel.x + pixel.y, 10.0);
        float across = mod(pixel.x - pixel.y, 10.0);
        rgb = mix(rgb, vec3(0.10, 0.02, 0.10), 0.6);
        if (along < 2.0 || across < 2.0) rgb = vec3(1.0, 0.35, 0.95);
    }
    if (empty) {
        bool stripe = mod(pixel.x + pixel.y, 12.0) < 2.0;
        rgb = stripe ? vec3(0.30, 0.32, 0.36) : vec3(0.16, 0.17, 0.20);
    }
    colour = vec4(rgb, 1.0);
}
