// Holds where a traced fragment is: of which lane, in how many steps, and whether it records.

uniform highp int u_trace_lane;
uniform highp uint u_trace_first;
uniform highp uint u_trace_stop;

const highp uint TRACE_READ = 62u, TRACE_MORE = 63u;

bool trace_here = false;
bool trace_mine = true;
bool trace_was = true;
bool trace_on = false;
highp uint trace_begun = 0u;
highp uint trace_at = 0u;

// Records what happens after a step of the window begins, in the requested lane.
void trace_window() {
    trace_on = trace_here && trace_mine && trace_begun >= u_trace_first && trace_begun < u_trace_stop;
}
