// Replaces the author's main, which is called `trace_main` here.

void main() {
    trace_begin();
    trace_globals();
    trace_window();
    trace_main();
    trace_on = trace_here;
    trace_outputs();
    trace_end(false);
    trace_colour_0 = trace_kept_0;
    trace_colour_1 = trace_kept_1;
    trace_colour_2 = trace_kept_2;
}
