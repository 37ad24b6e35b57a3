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
uniform float u_unit;          // a power of two that brings the range place 1, so that its width is a float32
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

uvec4 size_bits(vec4 v) { return floatBitsToUint(v) & 0x7fffffffu; }
bvec4 is_nan(vec4 v) { return greaterThan(size_bits(v), uvec4(0x7f800000u)); }
bvec4 is_finite(vec4 v) { return lessThan(size_bits(v), uvec4(0x7f800000u)); }

// Of booleans, which have no operators a lane.
bvec4 both(bvec4 a, bvec4 b) { return equal(ivec4(a) & ivec4(b), ivec4(1)); }
int first(bvec4 lanes) { return lanes.x ? 0 : lanes.y ? 1 : lanes.z ? 2 : 3; }

bvec4 shown_lanes() { return both(notEqual(u_lanes, ivec4(0)), lessThan(ivec4(0, 1, 2, 3), ivec4(u_lane_count))); }

vec4 value_at(ivec2 texel, int mode) {
    if (mode == 1) return texelFetch(t_oracle, texel, 0);
    vec4 actual = texelFetch(t_actual, texel, 0);
    if (mode == 0) return actual;
    vec4 oracle = texelFetch(t_oracle, texel, 0);
    vec4 difference = actual - oracle;
    // Equal infinities, and NaN where NaN is expected, are no difference.
    difference = mix(difference, vec4(0.0), equal(actual, oracle));
    difference = mix(difference, vec4(0.0), both(is_nan(actual), is_nan(oracle)));
    if (mode == 2) return difference;
    return difference / max(texelFetch(t_bound, texel, 0), vec4(1e-30));
}

// Amounts of light as a screen takes them (IEC 61966-2-1).
vec3 encoded(vec3 light) {
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}

// A picture over a board of two greys, which its opacity lets through.
vec3 pictured(vec4 share, bool is_single, bool is_opacity, vec2 pixel) {
    vec3 rgb = u_encoded && !is_opacity ? encoded(share.rgb) : share.rgb;
    if (is_single || u_opaque || u_lanes[3] == 0) return rgb;
    ivec2 square = ivec2(floor(pixel / 8.0));
    return mix(vec3((square.x + square.y) % 2 == 0 ? 0.40 : 0.60), rgb, share.a);
}

vec3 shaded(vec4 v, bvec4 shown, float unit, vec2 range, vec2 pixel) {
    int count = int(dot(vec4(shown), vec4(1.0)));
    bool is_single = count == 1;
    bvec4 unusual = both(shown, not(is_finite(v)));
    if (any(unusual)) {
        vec3 mark = is_nan(v)[first(unusual)] ? vec3(1.0, 0.1, 0.1) : vec3(0.1, 0.9, 0.2);
        // Of several lanes the others are seen beside it, above the diagonal, where there is room.
        vec2 inside = fract(u_origin + pixel / u_pixels_per_texel);
        if (is_single || u_pixels_per_texel < 12.0 || inside.x + inside.y > 1.0) return mark;
        v = mix(v, vec4(0.0), unusual);
    }
    v *= unit;
    int only = first(shown);
    float single = v[only];
    if (is_single) v = vec4(single);
    vec4 share = clamp((v - range.x) / (range.y - range.x), 0.0, 1.0);
    if (!is_single) share.rgb = mix(vec3(0.0), share.rgb, notEqual(u_lanes.rgb, ivec3(0)));
    if (u_picture) return pictured(share, is_single, is_single && only == 3, pixel);
    if (!is_single) return share.rgb;
    if (!u_mark_negative) return texelFetch(t_map, ivec2(int(share.r * 255.0 + 0.5), 0), 0).rgb;
    return single < 0.0 ? vec3(0.15, 0.35, 0.95) : share.rgb;
}

// Whether a finite value that is shown lies outside: 1 above, -1 below, 0 neither.
int outside(vec4 v, bvec4 shown) {
    bvec4 compared = both(shown, is_finite(v));
    if (any(both(compared, greaterThan(v, vec4(u_nominal.y))))) return 1;
    return any(both(compared, lessThan(v, vec4(u_nominal.x)))) ? -1 : 0;
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
    // Functions are called once each: a software driver compiles a copy for every call, before the first picture.
    bvec4 shown = shown_lanes();
    vec4 value = vec4(0.0);
    int side = 0;
    bool is_edge = false;
    for (int place = 0; place < (u_mark_outside ? 3 : 1); place++) {
        ivec2 other = texel;
        if (place > 0) {  // the pixel at the left, then the one above
            other = ivec2(floor(u_origin + (pixel - vec2(place == 1, place == 2)) / u_pixels_per_texel));
            if (other == texel) continue;
        }
        vec4 there = value_at(max(other, ivec2(0)), mode);
        int side_there = outside(there, shown);
        if (place == 0) {
            value = there;
            side = side_there;
        } else if (side_there != side || any(lessThan(other, ivec2(0)))) {
            is_edge = true;
        }
    }
    vec3 rgb = shaded(value, shown, mode == 3 ? 1.0 : u_unit, mode == 3 ? u_ratio_range : u_range, pixel);
    // Values outside are hatched, and the upper left edge of their area is drawn: a single texel is seen too.
    if (u_mark_outside && side != 0 && (is_edge || mod(side > 0 ? pixel.x + pixel.y : pixel.x - pixel.y, 6.0) < 1.0))
        rgb = side > 0 ? vec3(1.0, 0.45, 0.0) : vec3(0.2, 0.75, 1.0);

    vec4 padding = texelFetch(t_padding, texel, 0);
    bool empty = !any(both(shown, lessThan(padding, vec4(0.75))));
    bool unwritten = any(both(shown, both(greaterThan(padding, vec4(0.25)), lessThan(padding, vec4(0.75)))));
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
