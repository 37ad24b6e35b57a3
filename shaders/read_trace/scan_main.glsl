// Replaces the author's main, which is called `tap_main` here: its outputs are ordinary variables.

layout(location = 0) out highp vec4 tap_out_count;
layout(location = 1) out highp vec4 tap_out_who0;
layout(location = 2) out highp vec4 tap_out_value0;
layout(location = 3) out highp vec4 tap_out_who1;
layout(location = 4) out highp vec4 tap_out_value1;
layout(location = 5) out highp vec4 tap_out_who2;
layout(location = 6) out highp vec4 tap_out_value2;

void main() {
    tap_first = 3 * tap_begin();
    tap_main();
    tap_out_count = vec4(float(tap_count), 0.0, 0.0, 0.0);
    tap_out_who0 = tap_who_0;
    tap_out_value0 = tap_value_0;
    tap_out_who1 = tap_who_1;
    tap_out_value1 = tap_value_1;
    tap_out_who2 = tap_who_2;
    tap_out_value2 = tap_value_2;
}
