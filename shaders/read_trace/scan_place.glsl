// Lets each fragment of a small target run the author's shader for one output texel. Each has a number, from 0 on, and
// keeps its part of what is recorded. Where the shader depends on more of its place than `gl_FragCoord` has
// (`u_tap_columns` is 0), one fragment at a time is drawn at the texel itself, as number `u_tap_first`.

uniform highp ivec2 u_tap_texel;
uniform highp int u_tap_columns;
uniform highp int u_tap_first;
highp vec4 tap_gl_FragCoord;
bool tap_gone = false;

// Returns the number of this fragment; the author's main may run now.
highp int tap_begin() {
    tap_gl_FragCoord = gl_FragCoord;
    if (u_tap_columns == 0) return u_tap_first;
    tap_gl_FragCoord.xy = vec2(u_tap_texel) + 0.5;
    highp ivec2 own = ivec2(gl_FragCoord.xy);
    return own.y * u_tap_columns + own.x;
}
