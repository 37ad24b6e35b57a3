// As scan_main.glsl, on a driver that draws into fewer than seven colours: one read a fragment.

layout(location = 0) out highp vec4 tap_out_count;
layout(location = 1) out highp vec4 tap_out_who0;
layout(location = 2) out highp vec4 tap_out_value0;

void main() {
    tap_first = tap_begin();
    tap_main();
    tap_out_count = vec4(float(tap_count), 0.0, 0.0, 0.0);
    tap_out_who0 = tap_who_0;
    tap_out_value0 = tap_value_0;
}
