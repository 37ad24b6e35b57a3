// Replaces the author's main, which is called `trace_main` here.

void main() {
    trace_begin();
    trace_globals();
    trace_window();
    trace_main();
    trace_on = trace_here;
    trace_outputs();
    trace_end(false);
    trace_colour_0 = trace_kept[0];
    trace_colour_1 = trace_kept[1];
    trace_colour_2 = trace_kept[2];
#if TRACE_KEPT > 3
    trace_colour_3 = trace_kept[3];
    trace_colour_4 = trace_kept[4];
    trace_colour_5 = trace_kept[5];
    trace_colour_6 = trace_kept[6];
#endif
}
