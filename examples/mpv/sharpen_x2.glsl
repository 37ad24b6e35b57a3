// Twice the size, with the detail that a blur takes away added again: a small mpv user shader to begin with.

//!PARAM strength
//!DESC How much detail is added
//!TYPE float
//!MINIMUM 0
//!MAXIMUM 2
0.75

//!DESC blur, binomial 3x3
//!HOOK MAIN
//!BIND HOOKED
//!SAVE blurred
//!COMPONENTS 4
#define go(x, y) HOOKED_texOff(vec2(x, y))
vec4 hook() {
    vec4 result = 0.25 * go(0.0, 0.0);
    result += 0.125 * (go(-1.0, 0.0) + go(1.0, 0.0) + go(0.0, -1.0) + go(0.0, 1.0));
    result += 0.0625 * (go(-1.0, -1.0) + go(1.0, -1.0) + go(-1.0, 1.0) + go(1.0, 1.0));
    return result;
}

//!DESC twice the size, sharpened
//!HOOK MAIN
//!BIND HOOKED
//!BIND blurred
//!WIDTH HOOKED.w 2 *
//!HEIGHT HOOKED.h 2 *
//!WHEN OUTPUT.w HOOKED.w / 1.2 > OUTPUT.h HOOKED.h / 1.2 > *
vec4 hook() {
    vec4 color = HOOKED_tex(HOOKED_pos);
    return color + strength * (color - blurred_tex(blurred_pos));
}
